// The metrics of this process in the text format of Prometheus.
import type { Registry } from 'prom-client';
import { reply } from './reply.js';
import type { ServiceRoute } from './service-route.js';

export function metricsRoute(registry: Registry): ServiceRoute {
  return {
    methods: ['GET'],
    path: '/metrics',
    answer: async () => reply({ body: await registry.metrics(), type: registry.contentType }),
  };
}

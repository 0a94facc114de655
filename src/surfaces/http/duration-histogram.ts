// A histogram whose observation is a few array writes; the metrics library builds a text key for each.
import type { Histogram, MetricValueWithName, Registry } from 'prom-client';

export type Observe = (seconds: number) => void;

type Labels = Readonly<Record<string, string>>;

interface Series {
  readonly labels: Labels;
  readonly counts: Float64Array;
  sum: number;
}

const BOUNDS = [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];

export class DurationHistogram {
  readonly name: string;
  readonly help: string;
  readonly #series: Series[] = [];

  constructor(name: string, help: string) {
    this.name = name;
    this.help = help;
  }

  series(labels: Labels): Observe {
    const series: Series = { labels, counts: new Float64Array(BOUNDS.length + 1), sum: 0 };
    this.#series.push(series);
    return (seconds) => {
      let at = 0;
      while (at < BOUNDS.length && seconds > BOUNDS[at]!) at += 1;
      series.counts[at]! += 1;
      series.sum += seconds;
    };
  }

  register(registry: Registry): void {
    // A registry asks its metrics for their values and for nothing else.
    registry.registerMetric(this as unknown as Histogram);
  }

  reset(): void {
    for (const series of this.#series) {
      series.counts.fill(0);
      series.sum = 0;
    }
  }

  async get(): Promise<object> {
    const values = this.#series.flatMap((series) => this.#values(series));
    return { name: this.name, help: this.help, type: 'histogram', aggregator: 'sum', values };
  }

  #values({ labels, counts, sum }: Series): MetricValueWithName<string>[] {
    let count = 0;
    const buckets = [...counts].map((more, at) => {
      count += more;
      return {
        labels: { le: BOUNDS[at] ?? '+Inf', ...labels },
        value: count,
        metricName: `${this.name}_bucket`,
      };
    });
    return count === 0
      ? []
      : [
          ...buckets,
          { labels, value: sum, metricName: `${this.name}_sum` },
          { labels, value: count, metricName: `${this.name}_count` },
        ];
  }
}

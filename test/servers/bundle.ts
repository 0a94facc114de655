// Bundles one source file with all it imports, so that a plain child process of Node can run it.
import { join } from 'node:path';
import { build } from 'vite';
import { removeFolder, temporaryFolder } from './processes.js';

export interface Bundle {
  readonly file: string;
  remove(): void;
}

export async function bundleForNode(entry: string): Promise<Bundle> {
  const folder = temporaryFolder('bundle');
  await build({
    configFile: false,
    logLevel: 'error',
    ssr: { noExternal: true, target: 'node' },
    build: {
      ssr: entry,
      outDir: folder,
      minify: false,
      target: 'node20',
      rolldownOptions: { output: { entryFileNames: 'bundle.mjs', format: 'es' } },
    },
  });
  return { file: join(folder, 'bundle.mjs'), remove: () => removeFolder(folder) };
}

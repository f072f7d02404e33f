// A plugin of Vite that writes `name.br` beside each script and sheet of a build, so that no server has to compress them
// when somebody waits for them. Pages are not among them: settings are put into them when they are served.

import { promisify } from 'node:util';
import { brotliCompress, constants } from 'node:zlib';
import type { Plugin } from 'vite';

const compress = promisify(brotliCompress);
/** The most, 11, takes ten times as long for a twentieth. */
const params = { [constants.BROTLI_PARAM_QUALITY]: 9 };

export const compressedFiles: Plugin = {
  name: 'compressed-files',
  apply: 'build',
  enforce: 'post',
  generateBundle: {
    order: 'post',
    async handler(_options, bundle) {
      const parts = Object.values(bundle).filter(({ fileName }) => /^assets\/.*\.(js|css)$/.test(fileName));
      await Promise.all(
        parts.map(async (part) => {
          const text = Buffer.from(part.type === 'chunk' ? part.code : part.source);
          this.emitFile({ type: 'asset', fileName: `${part.fileName}.br`, source: await compress(text, { params }) });
        }),
      );
    },
  },
};

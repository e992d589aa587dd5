// SPDX-License-Identifier: BSD-3-Clause
// node bundle.mjs MODULES OUTPUT: makes one HTML template of page.html, the style and the bundled
// script; MODULES holds package.json and node_modules. The data's place remains: /*data*/.
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

const [modules, output] = process.argv.slice(2).map((path) => resolve(path));
const here = dirname(fileURLToPath(import.meta.url));
const esbuild = createRequire(join(modules, 'package.json'))('esbuild');

function bundled(entry, options) {
  const result = esbuild.buildSync({
    entryPoints: [join(here, 'src', entry)], bundle: true, minify: true, write: false, charset: 'ascii',
    legalComments: 'none', target: 'es2020', nodePaths: [join(modules, 'node_modules')], metafile: true, ...options,
  });
  return { text: result.outputFiles[0].text, inputs: Object.keys(result.metafile.inputs) };
}

/** The licences of the packages that the script holds; they ask to go where it goes. */
function licences(inputs) {
  const packages = new Set(inputs.map((path) => /node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(path)?.[1]).filter(Boolean));
  return [...packages].sort().map((name) => {
    const folder = join(modules, 'node_modules', name);
    const file = readdirSync(folder).find((one) => /^licen[cs]e/i.test(one));
    return `${name}\n\n${file ? readFileSync(join(folder, file), 'utf8') : ''}`;
  }).join('\n\n').replaceAll('</', '<\\/');
}

const style = bundled('style.css', {}).text;
// A script element ends at the first such text, even within a string.
const { text, inputs } = bundled('main.js', { format: 'iife' });
const script = text.replaceAll('</script', '<\\/script');
const page = readFileSync(join(here, 'page.html'), 'utf8')
  .replace('/*style*/', () => style)
  .replace('/*script*/', () => script)
  .replace('/*licences*/', () => licences(inputs));
writeFileSync(output, page);

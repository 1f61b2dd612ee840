import { readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from '@playwright/test';
import { test } from './test.ts';

/** `TEST_THOROUGH=1 PICTURES=. npm run test:e2e -- pictures` draws the logo, the icons and the share image again. */
const target = process.env.PICTURES;
const fontFile = '@fontsource-variable/inter/files/inter-latin-wght-normal.woff2';
const root = join(import.meta.dirname, '..');
const publicFolder = 'web/public';

interface Picture {
  name: string;
  /** From the root of the project. Default: the public folder of the web app. */
  folder?: string;
  width: number;
  height: number;
  isTransparent?: true;
  /** Returns HTML that contains the SVG of the mark. */
  draw(mark: string, mesh: string): string;
}

/** The mark with its rounded corners, on a transparent background. */
const icon = (name: string, size: number, folder?: string): Picture => ({
  name,
  folder,
  width: size,
  height: size,
  isTransparent: true,
  draw: (mark) => `<div style="width:${size}px">${mark}</div>`,
});

/**
 * The mark on its background color up to the edges, because the system cuts the shape of the icon.
 * @param share the width of the mark. The system may cut everything outside of a circle of 80% of the width.
 */
const fullIcon = (name: string, size: number, share: number): Picture => ({
  name,
  width: size,
  height: size,
  draw: (mark) => {
    const background = /<rect[^>]* fill="([^"]+)"/.exec(mark)?.[1];
    if (!background) throw new Error('favicon.svg has no rectangle with a fill, which is the background of the icons.');
    return `<style>rect{rx:0}</style><div style="width:${size}px;height:${size}px;padding:${((1 - share) / 2) * size}px;
      background:${background}">${mark}</div>`;
  },
});

const pictures: Picture[] = [
  { name: 'logo.png', width: 512, height: 512, draw: (mark) => `<div style="width:512px">${mark}</div>` },
  // Browsers and crawlers that do not parse the page request /favicon.ico. It contains one picture, 48 pixels wide.
  icon('favicon.ico', 48),
  // For the search bars of browsers: /opensearch.xml names it.
  icon('icon-16.ico', 16),
  icon('icon-192.png', 192),
  icon('icon-512.png', 512),
  ...[16, 32, 48, 128].map((size) => icon(`${size}.png`, size, 'extension/public/icon')),
  fullIcon('icon-maskable-192.png', 192, 0.78),
  fullIcon('icon-maskable-512.png', 512, 0.78),
  fullIcon('apple-touch-icon.png', 180, 0.9),
  {
    name: 'share-image.png',
    width: 1200,
    height: 630,
    draw: (mark, mesh) => `
      <div style="position:relative;display:flex;flex-direction:column;justify-content:space-between;width:1200px;
        height:630px;padding:80px;background:#f8f5ee;border-bottom:18px solid #e09a1f;color:#16202f;
        font-family:'Inter Variable'">
        <div style="position:absolute;inset:0;overflow:hidden;mask-image:linear-gradient(100deg,transparent 45%,#000)">
          ${mesh}
        </div>
        <div style="display:flex;align-items:center;gap:28px;font-size:52px;font-weight:700;letter-spacing:-1px">
          <div style="width:84px;height:84px">${mark}</div>Linksieve
        </div>
        <div style="position:relative;font-size:84px;line-height:1.05;font-weight:700;letter-spacing:-3px">
          Find the paid links<br>in your backlinks
        </div>
        <div style="position:relative;font-size:31px;color:#565c66">
          The paid-link blacklist · toxicity reports · disavow files
        </div>
      </div>`,
  },
];

for (const { name, folder = publicFolder, width, height, isTransparent = false, draw } of pictures) {
  test(`${name} is drawn from favicon.svg and has the size that the pages declare`, async ({ page }, testInfo) => {
    const mark = await readFile(join(root, publicFolder, 'favicon.svg'), 'utf8');
    const font = await readFile(join(root, 'node_modules', fontFile), 'base64');
    await page.goto('/');
    const mesh = await page
      .locator('svg[viewBox="0 0 1200 620"]')
      .first()
      .evaluate((svg) => svg.outerHTML);
    // Leaves the site's Content Security Policy, which would block the styles.
    await page.goto('about:blank');
    await page.setViewportSize({ width, height });
    await page.setContent(`<style>*{box-sizing:border-box}body{margin:0}svg{display:block}
      [height="620"] path{fill:#ece4d3}rect[transform]{fill:none;stroke:#cdbf9f;stroke-width:2.5}
      rect[data-caught]{stroke:#e09a1f}
      @font-face{font-family:'Inter Variable';font-weight:100 900;src:url(data:font/woff2;base64,${font})}
      </style>${draw(mark, mesh)}`);
    await page.evaluate(() => document.fonts.ready);
    const isIcon = name.endsWith('.ico');
    const drawn = await page.screenshot({ omitBackground: isTransparent });
    await writeFile(
      target ? join(target, folder, name) : testInfo.outputPath(name),
      isIcon ? toIcon(drawn, width) : drawn,
    );
    const path = join(root, folder, name);
    const file = await readFile(path);
    const picture = isIcon ? file.subarray(iconHeader) : file;
    expect([picture.readUInt32BE(16), picture.readUInt32BE(20)]).toEqual([width, height]);
    expect((await stat(path)).size).toBeLessThan(100_000);
  });
}

/** Bytes before the picture in an icon file with one picture (https://en.wikipedia.org/wiki/ICO_(file_format)). */
const iconHeader = 22;

/** Builds an icon file that contains a square PNG of this many pixels on each side. */
function toIcon(png: Buffer, pixels: number): Buffer {
  const header = Buffer.alloc(iconHeader);
  header.writeUInt16LE(1, 2); // type: icon
  header.writeUInt16LE(1, 4); // number of pictures
  header.writeUInt8(pixels, 6);
  header.writeUInt8(pixels, 7);
  header.writeUInt16LE(1, 10); // color planes
  header.writeUInt16LE(32, 12); // bits per pixel
  header.writeUInt32LE(png.length, 14);
  header.writeUInt32LE(iconHeader, 18);
  return Buffer.concat([header, png]);
}

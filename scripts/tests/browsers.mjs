import fs from 'node:fs'

const find = (places) => places.find((place) => place && fs.existsSync(place))

/** A full Chromium, whose camera can be a file; undefined if there is none. */
export const findChromium = () =>
  find([
    process.env.CHROMIUM_PATH,
    '/usr/bin/chromium',
    '/usr/bin/chromium-browser',
    '/usr/bin/google-chrome',
    '/snap/bin/chromium',
    '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  ])

/** The Chromium in CHROMIUM_PATH, otherwise a headless one, otherwise a full one; undefined if there is none. */
export const findHeadlessChromium = () =>
  find([process.env.CHROMIUM_PATH, '/usr/bin/chromium-headless-shell']) ?? findChromium()

import fs from 'node:fs'

const find = (places) => places.find((place) => place && fs.existsSync(place))

/** A whole Chromium, which has a camera; undefined if there is none. */
export const findChromium = () =>
  find([
    process.env.CHROMIUM_PATH,
    '/usr/bin/chromium',
    '/usr/bin/chromium-browser',
    '/usr/bin/google-chrome',
    '/snap/bin/chromium',
    '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  ])

const headlessShell = '/usr/bin/chromium-headless-shell'

/** Whether there is a Chromium without windows. An open page takes half a core in `chromium --headless`, and almost nothing there. */
export const hasHeadlessShell = () => fs.existsSync(headlessShell)

/** The Chromium of CHROMIUM_PATH, else one without windows, else a whole one; undefined if there is none. */
export const findHeadlessChromium = () => find([process.env.CHROMIUM_PATH, headlessShell]) ?? findChromium()

/** Brands at byte 8 of a HEIC file. `mif1` and `msf1` are shared with AVIF, whose files have the type `image/avif`. */
const heicBrand = /^(heic|heix|hevc|hevx|heim|heis|mif1|msf1)$/

/** Whether a file is a photo in Apple's format, by its bytes: many systems give it no type. */
export async function isHeic(file: Blob): Promise<boolean> {
  if (file.type && !/^(image\/hei[cf]|application\/octet-stream)/.test(file.type)) return false
  const head = new TextDecoder('latin1').decode(await file.slice(4, 12).arrayBuffer())
  return head.startsWith('ftyp') && heicBrand.test(head.slice(4))
}

/**
 * Types that let a person choose HEIC photos. An iPhone is not offered them: it then converts the photo itself, which
 * needs neither memory nor a download.
 */
export const heicTypes = () =>
  /iP(hone|od)/.test(navigator.userAgent) ? [] : ['image/heic', 'image/heif', '.heic', '.heif']

/**
 * Decodes a HEIC photo with the browser if it can (Safari), otherwise with a decoder of 490 kB that is loaded now. It is the build
 * without WebAssembly and `eval`, so the content security policy stays as it is.
 */
export async function decodeHeic(file: File): Promise<ImageBitmap> {
  try {
    return await createImageBitmap(file, { imageOrientation: 'from-image' })
  } catch {
    const { heicTo } = await import('heic-to/csp')
    return heicTo({ blob: file, type: 'bitmap' })
  }
}

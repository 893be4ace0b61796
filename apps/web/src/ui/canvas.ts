/** An empty canvas to draw on. Throws where the browser has no memory left for one. */
export function newCanvas(width: number, height: number) {
  const canvas = document.createElement('canvas')
  canvas.width = width
  canvas.height = height
  const context = canvas.getContext('2d')
  if (!context) throw new Error('This browser cannot draw now')
  return { canvas, context }
}

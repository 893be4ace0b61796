import { expect, test } from 'vitest'
import { zipPhotos } from './zip-photos.ts'

test('a ZIP of many photos adds one listener to its output, not one per photo', async () => {
  const listeners: number[] = []
  // The first photo is requested before `output` is assigned.
  async function* photos() {
    for (let index = 0; index < 20; index++) {
      await null
      listeners.push(output.listenerCount('close'))
      yield { name: `foto-${index}`, label: '', npm: '', bytes: Buffer.from('foto') }
    }
  }
  const output = zipPhotos(photos())
  for await (const _ of output);
  expect(listeners).toHaveLength(20)
  expect(new Set(listeners.slice(1)).size).toBe(1)
})

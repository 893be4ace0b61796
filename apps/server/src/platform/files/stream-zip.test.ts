import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { expect, test, vi } from 'vitest'
import { streamZip } from './stream-zip.ts'

test('a ZIP with an entry that cannot be opened fails with its error and logs it', async () => {
  const error = vi.fn()
  const missing = new Error('the file is gone')
  const zip = streamZip({ log: { error } as never }, [
    { name: 'a.txt', open: async () => Readable.from(['a']) },
    { name: 'b.txt', open: () => Promise.reject(missing) },
  ])
  await expect(buffer(zip)).rejects.toBe(missing)
  expect(error).toHaveBeenCalledWith({ err: missing }, 'ZIP')
})

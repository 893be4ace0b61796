import { MutationObserver, onlineManager } from '@tanstack/react-query'
import { afterEach, expect, it } from 'vitest'
import { queryClient } from './query.ts'

afterEach(() => onlineManager.setOnline(true))

it('a write without network fails at once and is not sent later', async () => {
  onlineManager.setOnline(false)
  let sent = 0
  const write = new MutationObserver(queryClient, {
    mutationFn: () => {
      sent++
      return Promise.reject(new Error('offline'))
    },
  })
  await expect(write.mutate()).rejects.toThrow('offline')
  onlineManager.setOnline(true)
  await queryClient.resumePausedMutations()
  expect(sent).toBe(1)
})

import { notifications } from '@mantine/notifications'
import { useMutation } from '@tanstack/react-query'
import { useRef } from 'react'
import { download } from './client.ts'

type Download = Parameters<typeof download>

/** Downloads a file for a button, which is busy meanwhile; shows a failure as a notification. */
export function useDownload() {
  // A second click may arrive before the button is drawn as busy.
  const isStarted = useRef(false)
  const fetching = useMutation({
    mutationFn: (file: Download) => download(...file),
    onError: ({ message }) => notifications.show({ color: 'red', message }),
    onSettled: () => {
      isStarted.current = false
    },
  })
  return {
    busy: fetching.isPending,
    start: (...file: Download) => {
      if (isStarted.current) return
      isStarted.current = true
      fetching.mutate(file)
    },
  }
}

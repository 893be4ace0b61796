import { notifications } from '@mantine/notifications'
import { useMutation } from '@tanstack/react-query'
import { download } from './client.ts'

type Download = Parameters<typeof download>

/** Downloads a file for a button, which is busy until the file is there; a failure is shown as a notification. */
export function useDownload() {
  const fetching = useMutation({
    mutationFn: (file: Download) => download(...file),
    onError: ({ message }) => notifications.show({ color: 'red', message }),
  })
  return { busy: fetching.isPending, start: (...file: Download) => fetching.mutate(file) }
}

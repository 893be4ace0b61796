import { notifications } from '@mantine/notifications'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { readConnection, type WhatsappConnection } from '#domain/whatsapp/endpoints.ts'
import { listConnections, listDeliveries } from '#domain/whatsapp/lists.ts'
import type { ApiError } from '#web/api/client.ts'
import { keyOf } from '#web/api/query.ts'

type Answer = { data: WhatsappConnection }
type Action = {
  run: () => Promise<unknown>
  told?: string | ((answer: never) => string | undefined)
}

const isConnection = (answer: unknown): answer is Answer =>
  typeof answer === 'object' && answer !== null && 'standing' in ((answer as Answer).data ?? {})

/** Does something with a connection and shows at once how it stands afterwards. */
export function useConnectionActions(id: string) {
  const queries = useQueryClient()
  const [running, setRunning] = useState<string>()
  const { mutateAsync } = useMutation<unknown, ApiError, Action>({
    mutationFn: ({ run }) => run(),
    onSuccess: (answer, { told }) => {
      if (isConnection(answer)) queries.setQueryData(keyOf(readConnection, { params: { id } }), answer)
      const message = typeof told === 'function' ? told(answer as never) : told
      if (message) notifications.show({ color: 'green', message })
    },
    onError: (error) => notifications.show({ color: 'red', message: error.message }),
    onSettled: () => {
      void queries.invalidateQueries({ queryKey: keyOf(listConnections) })
      void queries.invalidateQueries({ queryKey: keyOf(listDeliveries) })
      setRunning(undefined)
    },
  })
  return {
    /** The name of the action that is under way. */
    running,
    act: async <T>(name: string, run: () => Promise<T>, told?: string | ((answer: T) => string | undefined)) => {
      setRunning(name)
      return (await mutateAsync({ run, told: told as Action['told'] })) as T
    },
  }
}

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
  message?: string | ((answer: never) => string | undefined)
}

const isConnection = (answer: unknown): answer is Answer =>
  typeof answer === 'object' && answer !== null && 'standing' in ((answer as Answer).data ?? {})

/** Runs an action on a connection and refetches its status at once. */
export function useConnectionActions(id: string) {
  const queries = useQueryClient()
  const [runningName, setRunning] = useState<string>()
  const { mutateAsync } = useMutation<unknown, ApiError, Action>({
    mutationFn: ({ run }) => run(),
    onSuccess: (answer, { message }) => {
      if (isConnection(answer)) queries.setQueryData(keyOf(readConnection, { params: { id } }), answer)
      const text = typeof message === 'function' ? message(answer as never) : message
      if (text) notifications.show({ color: 'green', message: text })
    },
    onError: (error) => notifications.show({ color: 'red', message: error.message }),
    onSettled: () => {
      void queries.invalidateQueries({ queryKey: keyOf(listConnections) })
      void queries.invalidateQueries({ queryKey: keyOf(listDeliveries) })
      setRunning(undefined)
    },
  })
  return {
    /** Name of the action in progress. */
    runningName,
    act: async <T>(name: string, run: () => Promise<T>, message?: string | ((answer: T) => string | undefined)) => {
      setRunning(name)
      return (await mutateAsync({ run, message: message as Action['message'] })) as T
    },
  }
}

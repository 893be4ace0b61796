import { useState } from 'react'
import { type Arrival, scansPerRequest } from '#domain/door/sending.ts'
import { ApiError } from '#web/api/client.ts'
import { newId } from '#web/offline/new-id.ts'
import type { QueuedItem } from '#web/offline/queue.ts'
import { useQueue } from '#web/offline/use-queue.ts'
import { useSurroundings } from '#web/ui/text/words.tsx'
import type { Device } from './device.ts'
import { type Timed, useKeptList } from './use-kept-list.ts'

/** Options for reading a door's list, often, because other phones record people meanwhile. */
export const doorReading = { quietAs: 'door', networkMode: 'always', refetchInterval: 15_000 } as const

/** The last scan, as this phone judges it and as the server answers. */
export type LastScan<Said, Result> = {
  id: string
  /** The phone's verdict, before the server has answered. */
  said: Said
  personId: string | null
  /** Code of a card or ticket that is not on this phone's list. */
  code: string | null
  /** Arrival recorded before this scan. */
  before: Arrival | null
  /** The server's answer; null while the scan waits. */
  result: Result | null
}

type Judged<Said> = Pick<LastScan<Said, never>, 'said'> & Partial<LastScan<Said, never>>

type Options<List, Scan, Result> = {
  /** Prefix of the topic and of the stored list's key; never rename, because scans wait on devices. */
  kind: 'attendance' | 'event-door'
  id: string
  answer: {
    data: { data: List } | undefined
    dataUpdatedAt: number
    error: Error | null
    isError: boolean
    refetch: () => Promise<unknown>
  }
  send: (items: readonly QueuedItem<Scan>[]) => Promise<readonly Result[]>
}

/** A door that works without network: the server's list, otherwise the stored copy, and the scans that wait. */
export function useDoor<List extends Timed, Scan, Result extends { id: string }, Said>({
  kind,
  id,
  answer,
  send,
}: Options<List, Scan, Result>) {
  const { owner } = useSurroundings()
  const { list, offsetMs } = useKeptList(`${kind}:${owner}:${id}`, answer.data?.data, answer.dataUpdatedAt)
  const [last, setLast] = useState<LastScan<Said, Result> | null>(null)
  const queue = useQueue<Scan>({
    topic: `${kind}:${id}`,
    owner,
    batchSize: scansPerRequest,
    send: async (items) => {
      const results = await send(items)
      setLast((present) => {
        const result = results.find((one) => one.id === present?.id)
        return present && result ? { ...present, result } : present
      })
      await answer.refetch()
    },
  })

  /** Shows a verdict; without an id, on a scan that is not recorded. */
  const show = (judged: Judged<Said>) =>
    setLast({ id: newId(), personId: null, code: null, before: null, ...judged, result: null })

  return {
    list,
    offsetMs,
    last,
    items: queue.items,
    /** Why the server refuses the waiting scans; null while there is no network. */
    refusal: queue.failure instanceof ApiError && queue.failure.status > 0 ? queue.failure : null,
    error: answer.error,
    isOffline: answer.isError || queue.failure !== null,
    retry: answer.refetch,
    add: queue.add,
    show,
    /** Puts a scan into the queue and shows this phone's verdict on it. */
    record: async (scan: Scan, judged: Judged<Said>) => {
      const { id: scanId } = await queue.add(scan)
      show({ ...judged, id: scanId })
    },
  }
}

/** Device, time and scans of a sending, as `sendingOf` declares them. */
export const toSending = <Scan>(device: Device, items: readonly QueuedItem<Scan>[]) => ({
  device,
  sentAt: new Date().toISOString(),
  scans: items.map(({ id, at, data }) => ({ id, at, ...data })),
})

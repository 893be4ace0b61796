import { useDebouncedValue } from '@mantine/hooks'
import { keepPreviousData, skipToken, useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { useNavigate } from 'react-router'
import {
  createSessions,
  type PlannedSession,
  previewSessions,
  type SeriesInput,
} from '#domain/testing/sessions/endpoints.ts'
import { type ApiError, call } from '#web/api/client.ts'
import { boundTo, useForm } from '#web/api/use-form.ts'
import { emptyRoom, type TypedRoom } from '#web/modules/testing/sessions/rooms/room-fields.tsx'
import { useDraft } from '#web/ui/form/draft.tsx'

type TypedSeries = {
  waveId: string | null
  trackId: string | null
  testIds: string[]
  name: string
  mode: 'onsite' | 'online'
  location: string
  days: string[]
  times: { startTime: string; endTime: string }[]
  rooms: TypedRoom[]
  capacity: number | null
  bookingOpensAt: string | null
  closesHoursBefore: number | null
}

const emptySeries = (): TypedSeries => ({
  waveId: null,
  trackId: null,
  testIds: [],
  name: '',
  mode: 'onsite',
  location: '',
  days: [],
  times: [{ startTime: '08:00', endTime: '10:00' }],
  rooms: [emptyRoom()],
  capacity: null,
  bookingOpensAt: null,
  closesHoursBefore: null,
})

/** The series as the server takes it; null while a required value is missing. */
function toSeries({ waveId, rooms: typedRooms, ...rest }: TypedSeries): SeriesInput | null {
  const rooms = typedRooms.flatMap(({ capacity, ...room }) => (room.name && capacity ? [{ ...room, capacity }] : []))
  const isComplete =
    rest.testIds.length > 0 &&
    rest.name !== '' &&
    rest.location !== '' &&
    rest.days.length > 0 &&
    rest.times.every(({ startTime, endTime }) => startTime && endTime) &&
    rooms.length === typedRooms.length
  return waveId !== null && isComplete ? { ...rest, waveId, rooms } : null
}

/** State of a series: the draft, stored on the device until written, and the sessions the server would write. */
export function useSeries() {
  const { t } = useTranslation('test-sessions')
  const navigate = useNavigate()
  const [typed, setTyped, draftStore] = useDraft<TypedSeries>('test-sessions', emptySeries())
  const isOnline = typed.mode === 'online'
  const body = {
    ...typed,
    rooms: isOnline ? [] : typed.rooms,
    capacity: isOnline || typed.rooms.length === 0 ? typed.capacity : null,
  }
  const [settled] = useDebouncedValue(body, 350)
  const series = toSeries(settled)
  const isComplete = series !== null
  const preview = useQuery<{ data: { sessions: PlannedSession[] } }, ApiError>({
    queryKey: [previewSessions.path, settled],
    queryFn: series ? ({ signal }) => call(previewSessions, { body: series }, { signal }) : skipToken,
    placeholderData: keepPreviousData,
    meta: { quietAs: 'sessionsPreview' },
    staleTime: 0,
  })
  const form = useForm({
    call: createSessions,
    body,
    untouched: { ...body, ...(draftStore.restored && emptySeries()) },
    refusal: isComplete ? (preview.error ?? null) : null,
    done: ({ data }) => t('create.done', { count: data.ids.length }),
    onDone: ({ data }) => {
      draftStore.clear()
      navigate(data.ids.length === 1 ? `/jadwal-test/${data.ids[0]}` : '/jadwal-test?period=upcoming&sort=date')
    },
    onRefused: () => isComplete && preview.refetch(),
  })
  const change = (next: Partial<TypedSeries>) => setTyped((before) => ({ ...before, ...next }))
  return {
    isOnline,
    draftStore,
    form: boundTo(form, { values: typed, set: change }),
    sessions: isComplete ? preview.data?.data.sessions : undefined,
    isLoading: preview.isFetching,
    isComplete,
  }
}
export type SeriesState = ReturnType<typeof useSeries>

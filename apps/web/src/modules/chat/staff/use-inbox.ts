import { keepPreviousData, useInfiniteQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { useSearchParams } from 'react-router'
import { chatBoxes, chatTeams } from '#domain/chat/chat.ts'
import { countWaiting, listAgents, readConversation } from '#domain/chat/endpoints.ts'
import { listConversations } from '#domain/chat/lists.ts'
import { call } from '#web/api/client.ts'
import { keyOf } from '#web/api/query.ts'
import { onChat } from '#web/modules/chat/stream/chat-stream.ts'

/** Events within this time share one refetch. */
const gatherMs = 400

/** Returns a copy of URL parameters with `changes` applied. Null or an empty value removes a parameter. */
export function searchWith(before: URLSearchParams, changes: Record<string, string | null>): URLSearchParams {
  const next = new URLSearchParams(before)
  for (const [name, value] of Object.entries(changes))
    if (value) next.set(name, value)
    else next.delete(name)
  return next
}

type ChatBox = (typeof chatBoxes)[number]

/** Longest wait first, or newest message first. */
export const inboxOrders = ['waitingSince', '-lastMessageAt'] as const

/** Whether the user may choose the order of this box. Other boxes have a fixed order. */
export const hasOrders = (box: ChatBox) => box === 'mine' || box === 'open'

const orderOf = (box: ChatBox, chosen: string | null): (typeof inboxOrders)[number] =>
  box === 'waiting' || (hasOrders(box) && chosen === 'waitingSince') ? 'waitingSince' : '-lastMessageAt'

/** Reads the inbox's state from the URL. `change` updates the URL. */
export function useInboxAddress() {
  const [search, setSearch] = useSearchParams()
  const box = chatBoxes.find((name) => name === search.get('box')) ?? 'waiting'
  const team = chatTeams.find((name) => name === search.get('team')) ?? null
  const change = (changes: Record<string, string | null>, options?: { replace: boolean }) =>
    setSearch((before) => searchWith(before, changes), options)
  return {
    box,
    team,
    q: search.get('q') ?? '',
    sort: orderOf(box, search.get('sort')),
    openId: search.get('c'),
    showsFacts: search.get('facts') === '1',
    change,
  }
}
export type InboxAddress = ReturnType<typeof useInboxAddress>

export function useConversationRows({ box, team, q, sort }: Pick<InboxAddress, 'box' | 'team' | 'q' | 'sort'>) {
  const query = {
    box,
    ...(team && { team }),
    ...(q.trim().length > 1 && { q: q.trim() }),
    per_page: 50,
    sort,
  }
  return useInfiniteQuery({
    queryKey: keyOf(listConversations, { query }),
    queryFn: ({ pageParam, signal }) =>
      call(listConversations, { query: { ...query, ...(pageParam && { after: pageParam }) } }, { signal }),
    initialPageParam: '',
    getNextPageParam: ({ meta }) => meta.next,
    placeholderData: keepPreviousData,
  })
}

/** Refetches lists, counts and the open conversation after chat events other than `writing`. */
export function useLiveInbox() {
  const queries = useQueryClient()
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined
    const readAgain = () => {
      timer ??= setTimeout(() => {
        timer = undefined
        for (const endpoint of [listConversations, listAgents, countWaiting, readConversation])
          void queries.invalidateQueries({ queryKey: keyOf(endpoint) })
      }, gatherMs)
    }
    const leave = onChat({
      onCatchUp: readAgain,
      onEvents: (events) => events.some(({ kind }) => kind !== 'writing') && readAgain(),
    })
    return () => {
      clearTimeout(timer)
      leave()
    }
  }, [queries])
}

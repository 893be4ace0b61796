import { useQueryClient } from '@tanstack/react-query'
import { useCallback } from 'react'
import { type DocumentSlot, listAccountDocuments, listDocuments } from '#domain/documents/endpoints.ts'
import { keyOf, useEndpoint } from '#web/api/query.ts'

export const useDocuments = (registrationId: string) =>
  useEndpoint(listDocuments, { params: { id: registrationId } }, { enabled: Boolean(registrationId) })

/** Returns a function that refetches everything about the registration, because a review may change its status. */
export function useDocumentsChanged() {
  const queryClient = useQueryClient()
  return useCallback(async () => {
    await Promise.all([
      queryClient.invalidateQueries({ queryKey: keyOf(listDocuments) }),
      queryClient.invalidateQueries({ queryKey: keyOf(listAccountDocuments) }),
      queryClient.invalidateQueries({
        predicate: ({ queryKey: [path] }) =>
          typeof path === 'string' && (path === '/dashboard' || path.startsWith('/pendaftaran')),
      }),
    ])
  }, [queryClient])
}

/** Whether the applicant must send the document: it is missing or rejected. */
export const isToSend = ({ status, required }: DocumentSlot) =>
  status === 'rejected' || status === 'deferred' || (status === 'empty' && required)

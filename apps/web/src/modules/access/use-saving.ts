import { notifications } from '@mantine/notifications'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import type { ApiError } from '#web/api/client.ts'

type Saving<T> = {
  save: () => Promise<T>
  /** Said in a short message afterwards. */
  told: string
  onDone: (answer: T) => void
}

/** One write of the settings: what is refused is told beside its field, and whatever shows access is read again. */
export function useSaving<T>({ save, told, onDone }: Saving<T>) {
  const queries = useQueryClient()
  const saving = useMutation<T, ApiError>({
    mutationFn: save,
    onSuccess: async (answer) => {
      notifications.show({ message: told, color: 'green' })
      await queries.invalidateQueries({ predicate: ({ queryKey }) => /^\/(settings|auth)\//.test(String(queryKey[0])) })
      onDone(answer)
    },
  })
  const fields = saving.error?.fieldMessages ?? {}
  return {
    run: () => !saving.isPending && saving.mutate(),
    busy: saving.isPending,
    /** Sentence beside a field; nested fields by their path. */
    errorOf: (name: string) => fields[name],
    /** What belongs to no field on screen. */
    refusal: (shown: readonly string[]) =>
      saving.error && !Object.keys(fields).some((name) => shown.includes(name)) ? saving.error.message : null,
  }
}

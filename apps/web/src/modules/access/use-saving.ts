import { notifications } from '@mantine/notifications'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import type { ApiError } from '#web/api/client.ts'
import { useChecks } from '#web/api/use-checks.ts'

type Saving<T> = {
  /** The call and what it will be sent, checked while the form is filled in; none where nothing is filled in. */
  checked?: [endpoint: Parameters<typeof useChecks>[0], body: unknown]
  save: () => Promise<T>
  /** Said in a short message afterwards. */
  told: string
  onDone: (answer: T) => void
}

const nothing = {}

/** One write of the settings: what is refused is told beside its field, and whatever shows access is read again. */
export function useSaving<T>({ checked: [endpoint, body] = [nothing, null], save, told, onDone }: Saving<T>) {
  const queries = useQueryClient()
  const saving = useMutation<T, ApiError>({
    mutationFn: save,
    onSuccess: async (answer) => {
      notifications.show({ message: told, color: 'green' })
      await queries.invalidateQueries({ predicate: ({ queryKey }) => /^\/(settings|auth)\//.test(String(queryKey[0])) })
      onDone(answer)
    },
  })
  const checks = useChecks(endpoint, body, { refusal: saving.error })
  return {
    checks,
    run: () => !saving.isPending && checks.isReady() && saving.mutate(),
    busy: saving.isPending,
    /** Sentence beside a field; nested fields by their path. */
    errorOf: checks.errorOf,
    field: checks.field,
    /** What was refused or lost and belongs to no field on screen. */
    refusal: checks.unsaid,
  }
}

import { Select, Text } from '@mantine/core'
import type { RoleRow } from '#domain/access/endpoints.ts'
import { listRoles } from '#domain/access/lists.ts'
import { useEndpoint } from '#web/api/query.ts'
import type { CheckedField } from '#web/api/use-checks.ts'
import { useSession } from '#web/shell/session/session.tsx'
import { useMissing } from '#web/ui/states/missing.tsx'

type Props = CheckedField & {
  label: string
  placeholder?: string
  /** Role to omit from the options. */
  exceptRoleId?: string
  /** Why a role cannot be chosen; null if allowed. */
  refusalOf: (role: RoleRow) => string | null
  value: string | null
  onChange: (value: string | null) => void
}

/** Selects a role; roles that cannot be chosen say why. */
export function RoleSelect({ exceptRoleId, refusalOf, error, ...select }: Props) {
  const { may } = useSession()
  const missing = useMissing()
  const answer = useEndpoint(
    listRoles,
    { query: { per_page: 100, active: 'true' } },
    { enabled: may(listRoles.access) },
  )
  const roles = (answer.data?.data ?? []).filter(({ id }) => id !== exceptRoleId)
  return (
    <Select
      size="sm"
      searchable
      clearable
      data={roles.map((role) => ({ value: role.id, label: role.name, disabled: refusalOf(role) !== null }))}
      renderOption={({ option }) => {
        const role = roles.find(({ id }) => id === option.value)
        const reason = role && refusalOf(role)
        return (
          <div>
            <Text size="sm">{option.label}</Text>
            {reason && (
              <Text size="xs" c="dimmed">
                {reason}
              </Text>
            )}
          </div>
        )
      }}
      {...select}
      error={error ?? missing(select.label, answer.error)}
    />
  )
}

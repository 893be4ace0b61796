import { Select, Text } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { listRoleChoices, type RoleChoice } from '#domain/accounts/staff-endpoints.ts'
import { useEndpoint } from '#web/api/query.ts'
import type { CheckedField } from '#web/api/use-checks.ts'
import { useMissing } from '#web/ui/states/missing.tsx'

type Props = CheckedField & {
  value: string | null
  onChange: (id: string) => void
  /** Limits the roles offered; roles the reader may not assign stay in the list, with the reason. */
  offered?: (role: RoleChoice) => boolean
  disabled?: boolean
}

/** Selects a role; shows the rows its holders see, and why some roles cannot be assigned. */
export function RoleSelect({ value, onChange, error, offered = () => true, disabled, ...field }: Props) {
  const { t } = useTranslation('staff-accounts')
  const { data, error: failure } = useEndpoint(listRoleChoices)
  const missing = useMissing()
  const roles = data?.data ?? []
  const visibleRoles = roles.filter((role) => role.id === value || offered(role))
  const chosenRole = roles.find(({ id }) => id === value)
  return (
    <div>
      <Select
        {...field}
        label={t('create.role')}
        description={disabled ? undefined : t('create.roleHint')}
        searchable
        allowDeselect={false}
        disabled={disabled}
        data={visibleRoles.map(({ id, name, refusal }) => ({
          value: id,
          label: name,
          disabled: refusal !== null && id !== value,
        }))}
        renderOption={({ option }) => {
          const refusal = roles.find(({ id }) => id === option.value)?.refusal
          return (
            <div>
              <Text size="sm">{option.label}</Text>
              {refusal && option.value !== value && (
                <Text size="xs" c="dimmed">
                  {refusal}
                </Text>
              )}
            </div>
          )
        }}
        value={value}
        onChange={(id) => id && onChange(id)}
        error={error ?? missing(t('create.role'), failure)}
      />
      {chosenRole && !chosenRole.applicant && (
        <Text size="sm" c="dimmed" mt={4}>
          {chosenRole.limits.length > 0
            ? t('create.scope', { limits: chosenRole.limits.join(', ') })
            : t('create.scopeAll')}
          {chosenRole.requireTotp && ` ${t('create.withTotp')}`}
        </Text>
      )}
    </div>
  )
}

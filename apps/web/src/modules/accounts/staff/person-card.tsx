import { Alert, Anchor, Checkbox, TextInput } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import { formatPhone } from '#domain/accounts/phone.ts'
import { type AccountDetail, updateAccount } from '#domain/accounts/staff-endpoints.ts'
import { languages } from '#entities/define/language.ts'
import { dateTime } from '#locales/format.ts'
import { useForm } from '#web/api/use-form.ts'
import { useSession } from '#web/shell/session/session.tsx'
import { Card } from '#web/ui/card.tsx'
import { Facts } from '#web/ui/facts.tsx'
import { PageForm } from '#web/ui/form/form.tsx'
import { SegmentedField } from '#web/ui/form/segmented-field.tsx'
import { useSurroundings } from '#web/ui/text/words.tsx'
import { RoleSelect } from './role-select.tsx'

/** Name, role, language and whether a second factor is required. */
export function PersonCard({ account }: { account: AccountDetail }) {
  const { t } = useTranslation('staff-accounts')
  const { may, user } = useSession()
  const { say, language } = useSurroundings()
  const { id, version, role, refusals } = account
  const initial = {
    name: account.name,
    roleId: role.id,
    language: account.language,
    requireTotp: account.requireTotp,
  }
  const form = useForm({
    call: updateAccount,
    params: { id },
    start: initial,
    body: (values) => ({ ...values, version }),
    done: t('detail.saved'),
  })
  const locked = refusals.change !== null
  const isChanged = JSON.stringify(form.values) !== JSON.stringify(initial)
  const isStale = form.refusal?.code === 'stale_version'
  return (
    <Card title={t('detail.person')}>
      <PageForm
        form={{ ...form, formError: isStale ? null : form.formError }}
        submit={t('detail.save')}
        button={{ disabled: locked || !isChanged }}
      >
        <TextInput label={t('detail.name')} disabled={locked} autoComplete="off" {...form.text('name')} />
        <Facts
          facts={[
            [t('detail.email'), account.email],
            [t('detail.phone'), account.phone ? formatPhone(account.phone) : '—'],
            [t('detail.facts.since'), dateTime(account.createdAt, language)],
            ...(account.applicant
              ? [[t('detail.rowScope'), t('detail.rowScopeOwn')] as [string, string]]
              : [
                  [t('detail.rowScope'), role.limits.length > 0 ? role.limits.join(', ') : t('detail.rowScopeAll')] as [
                    string,
                    string,
                  ],
                ]),
          ]}
        />
        <RoleSelect offered={({ active }) => active} disabled={locked || user?.id === id} {...form.value('roleId')} />
        {may('settings-roles-permissions') && (
          <Anchor component={Link} to={`/settings/roles/permissions/${role.id}`} size="sm">
            {t('detail.roleLink')}
          </Anchor>
        )}
        <Checkbox
          label={t('detail.requireTotp')}
          description={role.requireTotp ? t('detail.requiredByRole', { role: role.name }) : undefined}
          {...form.box('requireTotp')}
          checked={role.requireTotp || form.values.requireTotp}
          disabled={locked || role.requireTotp}
        />
        <SegmentedField
          label={t('detail.language')}
          disabled={locked}
          data={languages.map((value) => ({ value, label: say(`language.${value}`) }))}
          {...form.value('language')}
        />
        {isStale && (
          <Alert variant="light" color="orange" role="alert">
            {t('detail.stale')}
          </Alert>
        )}
      </PageForm>
    </Card>
  )
}

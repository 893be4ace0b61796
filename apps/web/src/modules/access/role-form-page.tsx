import { Button, Checkbox, Fieldset, NumberInput, Stack, Text, Textarea, TextInput, Title } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useNavigate, useParams } from 'react-router'
import { applicantRole } from '#domain/access/applicant-role.ts'
import { createRole, type RoleDetail, readRole, removeRole, updateRole } from '#domain/access/endpoints.ts'
import { useEndpoint } from '#web/api/query.ts'
import { type Bindings, useForm } from '#web/api/use-form.ts'
import { MultiReferenceSelect } from '#web/resource/form/reference-select.tsx'
import { LoadingRecord } from '#web/shell/record-failed.tsx'
import { useSession } from '#web/shell/session/session.tsx'
import { useScreenTitle } from '#web/shell/title.tsx'
import { useGoBack } from '#web/shell/way-back.ts'
import { Card } from '#web/ui/card.tsx'
import { DialogForm } from '#web/ui/form/form.tsx'
import { PageHeader } from '#web/ui/page-header.tsx'
import { RoleFrame } from './role-frame.tsx'
import { RoleSelect } from './role-select.tsx'
import { SettingForm } from './setting-form.tsx'

const fixedNames = [applicantRole, 'Administrator']
const isNameFixed = (role: RoleDetail | undefined) => role !== undefined && fixedNames.includes(role.name)

/** Adds or changes a role: name, sign-in and visible rows. */
export default function RoleFormPage() {
  const { id } = useParams()
  const title = useScreenTitle()
  const answer = useEndpoint(readRole, { params: { id: id ?? '' } }, { enabled: !!id, refetchOnWindowFocus: false })
  if (!id)
    return (
      <>
        <PageHeader title={title} />
        <Card>
          <RoleForm />
        </Card>
      </>
    )
  if (!answer.data) return <LoadingRecord error={answer.error} onRetry={answer.refetch} rows={8} />
  const role = answer.data.data
  return (
    <RoleFrame role={role} part="details">
      <Card>
        <RoleForm key={`${role.id} ${role.version}`} role={role} />
      </Card>
    </RoleFrame>
  )
}

const startOf = (role: RoleDetail | undefined) => ({
  name: role?.name ?? '',
  description: role?.description ?? '',
  requireTotp: role?.requireTotp ?? false,
  sessionHours: role?.sessionHours ?? (12 as number | null),
  active: role?.active ?? true,
  facultyIds: role?.scope.faculties.map(({ id }) => id) ?? [],
  programmeIds: role?.scope.programmes.map(({ id }) => id) ?? [],
  copyOf: null as string | null,
})

function RoleForm({ role }: { role?: RoleDetail }) {
  const { t } = useTranslation('access')
  const { may } = useSession()
  const navigate = useNavigate()
  const goBack = useGoBack()
  const [deleting, setDeleting] = useState(false)
  const form = useForm({
    call: role ? updateRole : createRole,
    params: role && { id: role.id },
    start: () => startOf(role),
    body: ({ copyOf, description, ...others }) => ({
      ...others,
      description: description.trim() || null,
      ...(role ? { version: role.version } : copyOf && { copyOf }),
    }),
    done: t('roles.saved'),
    onDone: ({ data }) => {
      if (role) return
      may('settings-roles-permissions') ? navigate(`/settings/roles/permissions/${data.id}`) : goBack('/settings/roles')
    },
  })
  const readOnly = role !== undefined && role.refusal !== null
  const fixed = isNameFixed(role)
  return (
    <>
      <SettingForm
        form={form}
        fixed={readOnly}
        onBack={() => goBack('/settings/roles')}
        removal={
          role &&
          !fixed &&
          !readOnly &&
          may('settings-roles-delete') && (
            <Button variant="outline" color="red.9" ml="auto" onClick={() => setDeleting(true)}>
              {t('roles.delete')}
            </Button>
          )
        }
      >
        <RoleFields role={role} form={form} readOnly={readOnly} />
        {!role && (
          <Text size="sm" c="dimmed">
            {t('roles.next')}
          </Text>
        )}
      </SettingForm>
      {deleting && role && <DeleteRole role={role} onClose={() => setDeleting(false)} />}
    </>
  )
}

type FieldsProps = {
  role: RoleDetail | undefined
  form: Bindings<ReturnType<typeof startOf>>
  readOnly: boolean
}

function RoleFields({ role, form, readOnly }: FieldsProps) {
  const { t } = useTranslation('access')
  const fixed = isNameFixed(role)
  return (
    <Fieldset variant="unstyled" disabled={readOnly}>
      <Stack>
        <TextInput
          size="sm"
          label={t('roles.name')}
          description={fixed ? t('roles.fixedName') : undefined}
          readOnly={fixed}
          {...form.text('name')}
        />
        <Textarea size="sm" autosize minRows={2} label={t('roles.description')} {...form.text('description')} />
        {!role && (
          <RoleSelect
            label={t('roles.copyOf')}
            placeholder={t('roles.copyNone')}
            refusalOf={({ copyRefusal }) => copyRefusal}
            {...form.value('copyOf')}
          />
        )}
        <NumberInput
          size="sm"
          maw={240}
          allowDecimal={false}
          label={t('roles.sessionHours')}
          description={t('roles.sessionHelp')}
          {...form.number('sessionHours')}
        />
        <Checkbox
          label={t('roles.requireTotp')}
          description={t('roles.requireTotpHelp')}
          {...form.box('requireTotp')}
        />
        <Title order={2} size="h3" mt="sm">
          {t('roles.scopeTitle')}
        </Title>
        <Text size="sm" c="dimmed">
          {t('roles.scopeHelp')}
        </Text>
        <MultiReferenceSelect size="sm" to="fakultas" label={t('roles.faculties')} {...form.value('facultyIds')} />
        <MultiReferenceSelect size="sm" to="prodi" label={t('roles.programmes')} {...form.value('programmeIds')} />
        <Checkbox label={t('roles.active')} description={t('roles.activeHelp')} {...form.box('active')} />
      </Stack>
    </Fieldset>
  )
}

/** Deletes a role and moves its holders to another role in the same call. */
function DeleteRole({ role, onClose }: { role: RoleDetail; onClose: () => void }) {
  const { t } = useTranslation('access')
  const goBack = useGoBack()
  const [moveTo, setMoveTo] = useState<string | null>(null)
  const form = useForm({
    call: removeRole,
    params: { id: role.id },
    query: moveTo ? { moveTo } : {},
    done: t('roles.deleted'),
    onDone: () => goBack('/settings/roles'),
  })
  return (
    <DialogForm
      form={form}
      title={t('roles.deleteTitle', { name: role.name })}
      submit={t('roles.delete')}
      button={{ color: 'red.9', disabled: role.holders > 0 && !moveTo }}
      onClose={onClose}
    >
      {role.holders === 0 ? (
        <Text>{t('roles.deleteFree')}</Text>
      ) : (
        <RoleSelect
          label={t('roles.moveTo', { count: role.holders })}
          exceptRoleId={role.id}
          refusalOf={({ refusal }) => refusal}
          value={moveTo}
          {...form.field('moveTo')}
          onChange={setMoveTo}
        />
      )}
    </DialogForm>
  )
}

import {
  Button,
  Checkbox,
  Fieldset,
  Group,
  Modal,
  NumberInput,
  Select,
  Stack,
  Text,
  Textarea,
  TextInput,
  Title,
} from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useNavigate, useParams } from 'react-router'
import { applicantRole } from '#domain/access/applicant-role.ts'
import {
  createRole,
  listRoles,
  type RoleDetail,
  type RoleRow,
  readRole,
  removeRole,
  updateRole,
} from '#domain/access/endpoints.ts'
import { useEndpoint } from '#web/api/query.ts'
import { useSend } from '#web/api/send.ts'
import { RecordFailed } from '#web/app/record-failed.tsx'
import { useSession } from '#web/app/session.tsx'
import { useScreenTitle } from '#web/app/title.tsx'
import { MultiReferenceSelect } from '#web/resource/reference-select.tsx'
import { Card } from '#web/ui/card.tsx'
import { Failure } from '#web/ui/failure.tsx'
import { LoadingRows } from '#web/ui/loading-rows.tsx'
import { useMissing } from '#web/ui/missing.tsx'
import { PageHeader } from '#web/ui/page-header.tsx'
import { RoleFrame } from './role-frame.tsx'
import { SaveForm } from './save-form.tsx'
import { useSaving } from './use-saving.ts'

const fixedNames = [applicantRole, 'Administrator']

/** A new role, or what one is: its name, how its holders sign in, and which rows they see. */
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
  if (answer.isPending) return <LoadingRows rows={8} />
  if (!answer.data) return <RecordFailed error={answer.error} onRetry={answer.refetch} />
  const role = answer.data.data
  return (
    <RoleFrame role={role} part="details">
      <Card>
        <RoleForm key={`${role.id} ${role.version}`} role={role} />
      </Card>
    </RoleFrame>
  )
}

function RoleForm({ role }: { role?: RoleDetail }) {
  const update = useSend(updateRole)
  const create = useSend(createRole)
  const { t } = useTranslation('access')
  const { may } = useSession()
  const navigate = useNavigate()
  const [deleting, setDeleting] = useState(false)
  const [values, setValues] = useState({
    name: role?.name ?? '',
    description: role?.description ?? '',
    requireTotp: role?.requireTotp ?? false,
    sessionHours: role?.sessionHours ?? 12,
    active: role?.active ?? true,
    facultyIds: role?.scope.faculties.map(({ id }) => id) ?? [],
    programmeIds: role?.scope.programmes.map(({ id }) => id) ?? [],
    copyOf: null as string | null,
  })
  const set = (change: Partial<typeof values>) => setValues((before) => ({ ...before, ...change }))
  const { copyOf, ...content } = { ...values, description: values.description.trim() || null }
  const saving = useSaving({
    checked: role
      ? [updateRole, { ...content, version: role.version }]
      : [createRole, { ...content, ...(copyOf && { copyOf }) }],
    save: () =>
      role
        ? update({ params: { id: role.id }, body: { ...content, version: role.version } })
        : create({ body: { ...content, ...(copyOf && { copyOf }) } }),
    told: t('roles.saved'),
    onDone: ({ data }) => {
      if (role) return
      navigate(may('settings-roles-permissions') ? `/settings/roles/permissions/${data.id}` : '/settings/roles')
    },
  })
  const readOnly = role !== undefined && role.refusal !== null
  const fixed = role !== undefined && fixedNames.includes(role.name)
  return (
    <>
      <SaveForm
        saving={saving}
        refusal={saving.refusal}
        fixed={readOnly}
        onBack={() => navigate('/settings/roles')}
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
        <Fieldset variant="unstyled" disabled={readOnly}>
          <Stack>
            <TextInput
              size="sm"
              withAsterisk
              label={t('roles.name')}
              description={fixed ? t('roles.fixedName') : undefined}
              readOnly={fixed}
              value={values.name}
              {...saving.field('name')}
              onChange={(event) => set({ name: event.currentTarget.value })}
            />
            <Textarea
              size="sm"
              autosize
              minRows={2}
              maxLength={500}
              label={t('roles.description')}
              value={values.description}
              {...saving.field('description')}
              onChange={(event) => set({ description: event.currentTarget.value })}
            />
            {!role && (
              <RoleSelect
                label={t('roles.copyOf')}
                placeholder={t('roles.copyNone')}
                refusalOf={({ copyRefusal }) => copyRefusal}
                value={copyOf}
                {...saving.field('copyOf')}
                onChange={(next) => set({ copyOf: next })}
              />
            )}
            <NumberInput
              size="sm"
              maw={240}
              min={1}
              max={8760}
              allowDecimal={false}
              label={t('roles.sessionHours')}
              description={t('roles.sessionHelp')}
              value={values.sessionHours}
              {...saving.field('sessionHours')}
              onChange={(hours) => set({ sessionHours: Number(hours) })}
            />
            <Checkbox
              label={t('roles.requireTotp')}
              description={t('roles.requireTotpHelp')}
              checked={values.requireTotp}
              onChange={(event) => set({ requireTotp: event.currentTarget.checked })}
            />
            <Title order={2} size="h3" mt="sm">
              {t('roles.scopeTitle')}
            </Title>
            <Text size="sm" c="dimmed">
              {t('roles.scopeHelp')}
            </Text>
            <MultiReferenceSelect
              size="sm"
              to="fakultas"
              label={t('roles.faculties')}
              value={values.facultyIds}
              {...saving.field('facultyIds')}
              onChange={(facultyIds) => set({ facultyIds })}
            />
            <MultiReferenceSelect
              size="sm"
              to="prodi"
              label={t('roles.programmes')}
              value={values.programmeIds}
              {...saving.field('programmeIds')}
              onChange={(programmeIds) => set({ programmeIds })}
            />
            <Checkbox
              label={t('roles.active')}
              description={t('roles.activeHelp')}
              checked={values.active}
              {...saving.field('active')}
              onChange={(event) => set({ active: event.currentTarget.checked })}
            />
          </Stack>
        </Fieldset>
        {!role && (
          <Text size="sm" c="dimmed">
            {t('roles.next')}
          </Text>
        )}
      </SaveForm>
      {deleting && role && <DeleteRole role={role} onClose={() => setDeleting(false)} />}
    </>
  )
}

/** Holders of a deleted role move to another one in the same step. */
function DeleteRole({ role, onClose }: { role: RoleDetail; onClose: () => void }) {
  const send = useSend(removeRole)
  const { t } = useTranslation('access')
  const common = useTranslation('common').t
  const navigate = useNavigate()
  const [moveTo, setMoveTo] = useState<string | null>(null)
  const removing = useSaving({
    save: () => send({ params: { id: role.id }, query: moveTo ? { moveTo } : {} }),
    told: t('roles.deleted'),
    onDone: () => navigate('/settings/roles'),
  })
  return (
    <Modal
      opened
      onClose={onClose}
      title={t('roles.deleteTitle', { name: role.name })}
      closeButtonProps={{ 'aria-label': common('actions.close') }}
    >
      <Stack {...removing.checks.form}>
        {role.holders === 0 ? (
          <Text>{t('roles.deleteFree')}</Text>
        ) : (
          <RoleSelect
            label={t('roles.moveTo', { count: role.holders })}
            without={role.id}
            refusalOf={({ refusal }) => refusal}
            value={moveTo}
            {...removing.field('moveTo')}
            onChange={setMoveTo}
          />
        )}
        <Failure>{removing.refusal}</Failure>
        <Group justify="flex-end">
          <Button variant="default" onClick={onClose} children={common('actions.cancel')} />
          <Button
            color="red.9"
            loading={removing.busy}
            disabled={role.holders > 0 && !moveTo}
            onClick={removing.run}
            children={t('roles.delete')}
          />
        </Group>
      </Stack>
    </Modal>
  )
}

type SelectProps = {
  label: string
  placeholder?: string
  /** A role that is not offered. */
  without?: string
  /** Why a role cannot be chosen. */
  refusalOf: (role: RoleRow) => string | null
  value: string | null
  error?: string | undefined
  wrapperProps?: { 'data-field': string }
  onChange: (value: string | null) => void
}

function RoleSelect({ without, refusalOf, error, ...select }: SelectProps) {
  const { may } = useSession()
  const missing = useMissing()
  const answer = useEndpoint(
    listRoles,
    { query: { per_page: 100, active: 'true' } },
    { enabled: may(listRoles.access) },
  )
  const roles = (answer.data?.data ?? []).filter(({ id }) => id !== without)
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

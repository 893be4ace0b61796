import { Button, Checkbox, NumberInput, SimpleGrid, Stack, TextInput } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { Link, useNavigate } from 'react-router'
import { formatPhone } from '#domain/accounts/phone.ts'
import {
  createConnection,
  removeConnection,
  updateConnection,
  type WhatsappConnection,
} from '#domain/whatsapp/endpoints.ts'
import { type WhatsappKind, whatsappKinds } from '#domain/whatsapp/standing.ts'
import { useForm } from '#web/api/use-form.ts'
import { useSession } from '#web/shell/session/session.tsx'
import { useGoBack } from '#web/shell/way-back.ts'
import { Card } from '#web/ui/card.tsx'
import { ConfirmButton } from '#web/ui/confirm-button.tsx'
import { FixedChoice } from '#web/ui/form/fixed-choice.tsx'
import { PageForm } from '#web/ui/form/form.tsx'
import { useValues } from '#web/ui/form/use-values.ts'
import { useSurroundings } from '#web/ui/text/words.tsx'
import { DeviceWarning } from './device-warning.tsx'
import { ConnectionSecret } from './secret-field.tsx'

const paceOf: Record<WhatsappKind, { perMinute: number; perDay: number }> = {
  cloud: { perMinute: 600, perDay: 10_000 },
  device: { perMinute: 6, perDay: 200 },
  log: { perMinute: 600, perDay: 100_000 },
}

const startOf = (connection: WhatsappConnection | undefined) => ({
  kind: connection?.kind ?? ('cloud' as WhatsappKind),
  name: connection?.name ?? '',
  phone: connection?.phone ? formatPhone(connection.phone) : '',
  active: connection?.active ?? true,
  isDefault: connection?.isDefault ?? false,
  perMinute: connection?.perMinute ?? paceOf.cloud.perMinute,
  perDay: connection?.perDay ?? paceOf.cloud.perDay,
  phoneNumberId: connection?.phoneNumberId ?? '',
  businessAccountId: connection?.businessAccountId ?? '',
  graphUrl: connection?.graphUrl ?? 'https://graph.facebook.com',
  graphVersion: connection?.graphVersion ?? 'v24.0',
  /** Empty keeps the stored token. */
  accessToken: '',
  appSecret: '',
})

type Field = 'name' | 'phone' | 'phoneNumberId' | 'businessAccountId' | 'graphUrl' | 'graphVersion'

/** Values of a connection and the props of its inputs. */
function useConnectionForm(connection: WhatsappConnection | undefined) {
  const { t } = useTranslation('whatsapp')
  const navigate = useNavigate()
  const { values, set, box, ...inputs } = useValues(() => startOf(connection))
  const { kind, accessToken, appSecret, ...content } = values

  const body = {
    ...content,
    phone: values.phone.trim() || null,
    phoneNumberId: values.phoneNumberId.trim() || null,
    businessAccountId: values.businessAccountId.trim() || null,
    ...(accessToken.trim() && { accessToken: accessToken.trim() }),
    ...(appSecret.trim() && { appSecret: appSecret.trim() }),
  }
  const form = useForm({
    call: connection ? updateConnection : createConnection,
    params: connection && { id: connection.id },
    body: { ...body, ...(connection ? { version: connection.version } : { kind }) },
    done: t('saved'),
    onDone: ({ data }) => navigate(`/settings/whatsapp/${data.id}/view`),
  })
  const text = (name: Field) => ({
    size: 'sm',
    label: t(name),
    ...inputs.text(name),
    ...form.field(name),
    autoComplete: 'off',
  })
  const number = (name: 'perMinute' | 'perDay') => ({
    size: 'sm',
    label: t(name),
    value: values[name],
    ...form.field(name),
    allowDecimal: false,
    thousandSeparator: '.',
    decimalSeparator: ',',
    onChange: (value: string | number) => set({ [name]: Number(value) }),
  })
  return { kind, values, set, box, text, number, form }
}
type FormState = ReturnType<typeof useConnectionForm>

export function ConnectionForm({ connection }: { connection: WhatsappConnection | undefined }) {
  const { t } = useTranslation('whatsapp')
  const { say } = useSurroundings()
  const { may } = useSession()
  const state = useConnectionForm(connection)
  const { kind, set, box, text, number, form } = state
  const backPath = connection ? `/settings/whatsapp/${connection.id}/view` : '/settings/whatsapp'

  return (
    <PageForm
      form={form}
      submit={t('saveAndView')}
      gap={20}
      maw={720}
      beside={
        <>
          <Button component={Link} to={backPath} variant="subtle" children={say('actions.cancel')} />
          {connection && may('settings-whatsapp-delete') && <RemoveButton connection={connection} />}
        </>
      }
    >
      <Card title={t('connection')}>
        <Stack gap="md">
          <FixedChoice
            label={t('kind')}
            value={kind}
            choices={whatsappKinds.map((kind) => ({
              value: kind,
              label: t(`kinds.${kind}`),
              description: t(`kindHelp.${kind}`),
            }))}
            fixed={connection && t('kindFixed')}
            onChange={(kind) => set({ kind, ...paceOf[kind] })}
          />
          {kind === 'device' && <DeviceWarning />}
          <TextInput {...text('name')} />
          {kind !== 'device' && <TextInput {...text('phone')} inputMode="tel" description={t('phoneHelp')} />}
          <Checkbox label={t('active')} description={t('activeHelp')} {...box('active')} {...form.field('active')} />
          <Checkbox
            label={t('isDefault')}
            description={t('isDefaultHelp')}
            {...box('isDefault')}
            {...form.field('isDefault')}
          />
        </Stack>
      </Card>
      {kind === 'cloud' && (
        <Card title={t('cloud')}>
          <CloudFields connection={connection} state={state} />
        </Card>
      )}
      <Card title={t('pace')}>
        <SimpleGrid cols={{ base: 1, sm: 2 }}>
          <NumberInput
            {...number('perMinute')}
            description={t(kind === 'device' ? 'perMinuteDevice' : 'perMinuteHelp')}
          />
          <NumberInput {...number('perDay')} description={t('perDayHelp')} />
        </SimpleGrid>
      </Card>
    </PageForm>
  )
}

type CloudFieldsProps = { connection: WhatsappConnection | undefined; state: FormState }

/** Account and secrets of Meta's cloud interface. */
function CloudFields({ connection, state: { values, set, text, form } }: CloudFieldsProps) {
  const { t } = useTranslation('whatsapp')
  return (
    <Stack gap="md">
      <TextInput {...text('phoneNumberId')} withAsterisk inputMode="numeric" description={t('phoneNumberIdHelp')} />
      <TextInput {...text('businessAccountId')} inputMode="numeric" />
      <ConnectionSecret
        label={t('accessToken')}
        help={t('accessTokenHelp')}
        setAt={connection?.secrets.accessToken ?? null}
        value={values.accessToken}
        error={form.errorOf('accessToken')}
        onChange={(value) => set({ accessToken: value })}
      />
      <ConnectionSecret
        label={t('appSecret')}
        help={t('appSecretHelp')}
        setAt={connection?.secrets.appSecret ?? null}
        value={values.appSecret}
        error={form.errorOf('appSecret')}
        onChange={(value) => set({ appSecret: value })}
      />
      <SimpleGrid cols={{ base: 1, sm: 2 }}>
        <TextInput {...text('graphUrl')} />
        <TextInput {...text('graphVersion')} />
      </SimpleGrid>
    </Stack>
  )
}

function RemoveButton({ connection }: { connection: WhatsappConnection }) {
  const { t } = useTranslation('whatsapp')
  const { say } = useSurroundings()
  const goBack = useGoBack()
  const removing = useForm({
    call: removeConnection,
    params: { id: connection.id },
    done: t('deleted'),
    onDone: () => goBack('/settings/whatsapp'),
  })
  return (
    <ConfirmButton
      danger
      variant="outline"
      ml="auto"
      title={t('deleteTitle')}
      message={t('deleteText', { name: connection.name })}
      onConfirm={() => removing.send()}
      children={say('actions.delete')}
    />
  )
}

import { Accordion, NumberInput, Radio, Select, SimpleGrid, Stack, Text, Textarea, TextInput } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import type { ProviderDetail } from '#domain/payments/providers/endpoints.ts'
import {
  bodyForms,
  type SnapSettings,
  snapModes,
  snapSignatures,
  unfittingRules,
} from '#domain/payments/providers/provider-kinds.ts'
import { Card } from '#web/ui/card.tsx'
import { bindingsOf } from '#web/ui/form/use-values.ts'
import type { ProviderBindings } from './form-values.ts'
import { ProviderSecretField } from './provider-secret-field.tsx'

type SnapProps = {
  provider: ProviderDetail | undefined
  form: ProviderBindings
}

type Words = { [K in keyof SnapSettings]: SnapSettings[K] extends string ? K : never }[keyof SnapSettings]

/** SNAP settings agreed between bank and university: calls from the bank, then calls to the bank. */
export const SnapFields = (props: SnapProps) => (
  <>
    <Inbound {...props} />
    <Outbound {...props} />
  </>
)

/** Binds inputs to the settings; `text` also labels them. */
function useSnap({ form }: SnapProps) {
  const { t } = useTranslation('providers')
  const { snap } = form.values
  const changeSnap = (part: Partial<SnapSettings>) => form.set({ snap: { ...snap, ...part } })
  const { text, ...bindings } = bindingsOf(snap, changeSnap, (name) => form.field(`snap.${name}`))
  return {
    ...bindings,
    snap,
    changeSnap,
    text: (name: Words & keyof typeof labels) => ({
      size: 'sm',
      label: t(labels[name]),
      ...text(name),
      autoComplete: 'off',
    }),
  }
}

/** Calls from the bank. */
function Inbound(props: SnapProps) {
  const { t } = useTranslation('providers')
  const { snap, changeSnap, text, choice, value } = useSnap(props)
  const symmetric = snap.inboundSignature === 'symmetric'
  return (
    <Card title={t('inbound')}>
      <Stack gap="md">
        <Radio.Group label={t('mode')} {...choice('mode')}>
          <Stack gap="sm" mt="xs">
            {snapModes.map((mode) => (
              <Radio key={mode} value={mode} label={t(`modes.${mode}`)} />
            ))}
          </Stack>
        </Radio.Group>
        <Radio.Group label={t('inboundSignature')} {...choice('inboundSignature')}>
          <Stack gap="sm" mt="xs">
            {snapSignatures.map((signature) => (
              <Radio key={signature} value={signature} label={t(`inboundSignatures.${signature}`)} />
            ))}
          </Stack>
        </Radio.Group>
        <Textarea {...text('bankPublicKey')} autosize minRows={3} maxRows={8} spellCheck={false} />
        {symmetric && <TextInput {...text('inboundClientKey')} />}
        {symmetric && <ProviderSecretField name="inboundSecret" {...props} />}
        <SimpleGrid cols={{ base: 1, sm: 2 }} style={{ alignItems: 'end' }}>
          <TextInput {...text('inboundPartnerId')} description={t('anyHelp')} />
          <TextInput {...text('inboundChannelId')} description={t('anyHelp')} />
        </SimpleGrid>
        <SimpleGrid cols={{ base: 1, sm: 2 }}>
          <Select
            size="sm"
            label={t('bodyForm')}
            data={bodyForms.map((value) => ({ value, label: t(`bodyForms.${value}`) }))}
            allowDeselect={false}
            {...choice('bodyForm')}
          />
          <Select
            size="sm"
            label={t('signedPath')}
            data={(['full', 'short'] as const).map((value) => ({ value, label: t(`signedPaths.${value}`) }))}
            allowDeselect={false}
            {...choice('signedPath')}
          />
          <NumberInput
            size="sm"
            label={t('clockMinutes')}
            allowDecimal={false}
            {...value('clockMinutes')}
            onChange={(minutes) => changeSnap({ clockMinutes: Number(minutes) })}
          />
          <Select
            size="sm"
            label={t('unfitting')}
            data={unfittingRules.map((value) => ({ value, label: t(`unfittings.${value}`) }))}
            allowDeselect={false}
            {...choice('unfitting')}
          />
        </SimpleGrid>
      </Stack>
    </Card>
  )
}

/** Calls to the bank. */
function Outbound(props: SnapProps) {
  const { t } = useTranslation('providers')
  const { snap, text } = useSnap(props)
  return (
    <Card title={t('outbound')}>
      <Stack gap="md">
        {snap.mode === 'biller' && <Text c="dimmed">{t('outboundHelp')}</Text>}
        <TextInput
          size="sm"
          label={t('baseUrl')}
          type="url"
          description={t('baseUrlHelp')}
          placeholder="https://"
          autoComplete="off"
          {...props.form.text('baseUrl')}
        />
        <SimpleGrid cols={{ base: 1, sm: 3 }} style={{ alignItems: 'end' }}>
          <TextInput {...text('clientKey')} />
          <TextInput {...text('partnerId')} />
          <TextInput {...text('channelId')} />
        </SimpleGrid>
        <ProviderSecretField name="clientSecret" {...props} />
        <ProviderSecretField name="privateKey" {...props} />
        <Paths {...props} />
      </Stack>
    </Card>
  )
}

/** Paths and methods that differ between banks; collapsed at first. */
function Paths(props: SnapProps) {
  const { t } = useTranslation('providers')
  const { text, choice } = useSnap(props)
  return (
    <Accordion variant="contained">
      <Accordion.Item value="paths">
        <Accordion.Control>{t('paths')}</Accordion.Control>
        <Accordion.Panel>
          <SimpleGrid cols={{ base: 1, sm: 2 }}>
            <TextInput {...text('tokenPath')} />
            <TextInput {...text('servicePath')} />
            <Select
              size="sm"
              label={t('statusName')}
              data={['status', 'inquiry-status']}
              allowDeselect={false}
              {...choice('statusName')}
            />
            <Select
              size="sm"
              label={t('deleteMethod')}
              data={['DELETE', 'POST']}
              allowDeselect={false}
              {...choice('deleteMethod')}
            />
          </SimpleGrid>
        </Accordion.Panel>
      </Accordion.Item>
    </Accordion>
  )
}

const labels = {
  bankPublicKey: 'bankPublicKey',
  inboundClientKey: 'inboundClientKey',
  inboundPartnerId: 'inboundPartnerId',
  inboundChannelId: 'inboundChannelId',
  clientKey: 'clientKey',
  partnerId: 'partnerId',
  channelId: 'channelId',
  tokenPath: 'tokenPath',
  servicePath: 'servicePath',
} as const

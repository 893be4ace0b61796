import {
  ActionIcon,
  Button,
  Checkbox,
  Group,
  NumberInput,
  Select,
  SimpleGrid,
  Stack,
  Text,
  TextInput,
} from '@mantine/core'
import { IconPlus, IconTrash } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import { amountTypesOf, gatewayBanks, type ProviderKind } from '#domain/payments/providers/provider-kinds.ts'
import type { CheckedField, Checks } from '#web/api/use-checks.ts'
import { Card } from '#web/ui/card.tsx'
import { bindingsOf } from '#web/ui/form/use-values.ts'
import { type BankValues, newBank } from './form-values.ts'
import classes from './providers.module.css'

type Props = {
  kind: ProviderKind
  banks: BankValues[]
  field: Checks['field']
  onChange: (banks: BankValues[]) => void
}

/** Banks of a connection: display names, and rules for their transfer numbers. */
export function BankFields({ kind, banks, field, onChange }: Props) {
  const { t } = useTranslation('providers')
  const changeBank = (position: number, part: Partial<BankValues>) =>
    onChange(banks.map((bank, index) => (index === position ? { ...bank, ...part } : bank)))
  return (
    <Card title={t('banks')}>
      <Stack gap="lg">
        {banks.map((bank, index) => (
          <fieldset className={classes.bank} key={bank.id ?? `new-${index}`}>
            <legend>
              <Group gap="xs">
                <Text fw={600}>{bank.name || t('bankAt', { position: index + 1 })}</Text>
                {banks.length > 1 && (
                  <ActionIcon
                    variant="subtle"
                    color="gray"
                    size={36}
                    aria-label={t('bank.remove', { name: bank.name || index + 1 })}
                    onClick={() => onChange(banks.filter((_, position) => position !== index))}
                  >
                    <IconTrash size={18} aria-hidden />
                  </ActionIcon>
                )}
              </Group>
            </legend>
            <OneBank
              kind={kind}
              bank={bank}
              field={(name) => field(`banks.${index}.${name}`)}
              set={(part) => changeBank(index, part)}
            />
          </fieldset>
        ))}
        <div>
          <Button
            variant="default"
            leftSection={<IconPlus size={18} aria-hidden />}
            onClick={() => onChange([...banks, newBank(kind)])}
            children={t('bank.add')}
          />
        </div>
      </Stack>
    </Card>
  )
}

type OneProps = {
  kind: ProviderKind
  bank: BankValues
  field: (name: string) => CheckedField
  set: (part: Partial<BankValues>) => void
}

function OneBank({ kind, bank, field, set }: OneProps) {
  const { t } = useTranslation('providers')
  const form = bindingsOf(bank, set, field)
  const label = (name: Exclude<keyof BankValues, 'id'>) => ({ size: 'sm', label: t(`bank.${name}`) })
  const number = { allowDecimal: false, allowNegative: false, hideControls: true }
  const choices = kind === 'snap' ? [] : gatewayBanks[kind]
  return (
    <Stack gap="md">
      <SimpleGrid cols={{ base: 1, sm: 2 }}>
        {kind !== 'snap' && (
          <Select
            {...label('channel')}
            data={choices.map(({ channel, name }) => ({ value: channel, label: name }))}
            value={bank.channel}
            {...field('channel')}
            withAsterisk
            onChange={(channel) => {
              const chosenBank = choices.find((choice) => choice.channel === channel)
              set({
                channel,
                ...(!bank.name && { name: chosenBank?.name ?? '' }),
                ...(!bank.code && channel && { code: `${kind}-${channel.toLowerCase()}` }),
              })
            }}
          />
        )}
        <TextInput {...label('name')} autoComplete="off" {...form.text('name')} withAsterisk />
        <TextInput {...label('code')} autoComplete="off" {...form.text('code')} withAsterisk />
        <Select
          {...label('amountType')}
          data={amountTypesOf[kind].map((value) => ({ value, label: t(`amountTypes.${value}`) }))}
          allowDeselect={false}
          {...form.choice('amountType')}
        />
      </SimpleGrid>
      {kind === 'snap' && (
        <SimpleGrid cols={{ base: 1, sm: 2 }} style={{ alignItems: 'end' }}>
          <TextInput
            {...label('prefix')}
            inputMode="numeric"
            description={t('bank.prefixHelp')}
            autoComplete="off"
            value={bank.prefix ?? ''}
            {...field('prefix')}
            withAsterisk
            onChange={(event) => set({ prefix: event.currentTarget.value.replace(/\D/g, '') || null })}
          />
          <NumberInput
            {...label('customerDigits')}
            {...number}
            {...form.number('customerDigits')}
            onChange={(value) => set({ customerDigits: Number(value) })}
          />
          <NumberInput
            {...label('firstNumber')}
            {...number}
            {...form.number('firstNumber')}
            onChange={(value) => set({ firstNumber: Number(value) || 1 })}
          />
          <NumberInput
            {...label('lastNumber')}
            description={t('bank.lastHelp')}
            {...number}
            {...form.number('lastNumber')}
          />
        </SimpleGrid>
      )}
      <Checkbox label={t('bank.active')} {...form.box('active')} />
    </Stack>
  )
}

import { Checkbox, MultiSelect, Text, Textarea, TextInput } from '@mantine/core'
import { useForm } from '@mantine/form'
import { type BankAccount, createBankAccount, updateBankAccount } from '#domain/payments/reconciliation-endpoints.ts'
import { useSend } from '#web/api/send.ts'
import { useChecks } from '#web/api/use-checks.ts'
import { AskDialog } from '../desk/ask-dialog.tsx'
import { useDeskWords } from '../desk/words.ts'
import { useReconciliationWords } from './words.ts'

type Props = {
  /** Without one a new account is added. */
  account?: BankAccount | undefined
  banks: readonly { code: string; name: string }[]
  onClose: () => void
}

/** An account of the university, asked for: its name, and which money arrives on it. */
export function AccountDialog({ account, banks, onClose }: Props) {
  const update = useSend(updateBankAccount)
  const create = useSend(createBankAccount)
  const { t } = useReconciliationWords()
  const { t: d } = useDeskWords()
  const form = useForm({
    initialValues: {
      name: account?.name ?? '',
      bank: account?.bank ?? '',
      number: account?.number ?? '',
      holder: account?.holder ?? '',
      takesTransfers: account?.takesTransfers ?? false,
      sources: account?.sources ?? [],
      active: account?.active ?? true,
      reason: '',
    },
  })
  const { active, reason, ...values } = form.values
  const body = {
    ...values,
    ...(reason.trim() && { reason: reason.trim() }),
    ...(account && { active, version: account.version }),
  }
  const checks = useChecks(account ? updateBankAccount : createBankAccount, body)
  const title = t(account ? 'account.edit' : 'account.add')
  return (
    <AskDialog
      title={title}
      submit={d('pending.send')}
      done={d('pending.sent')}
      checks={checks}
      send={() =>
        account
          ? update({ params: { id: account.id }, body: { ...body, active, version: account.version } })
          : create({ body })
      }
      onClose={onClose}
    >
      <Text size="sm" c="dimmed">
        {d('pending.text')}
      </Text>
      <TextInput
        label={t('account.name')}
        description={t('account.nameHelp')}
        withAsterisk
        maxLength={80}
        data-autofocus
        {...form.getInputProps('name')}
        {...checks.field('name')}
      />
      <TextInput
        label={t('account.bank')}
        withAsterisk
        maxLength={60}
        {...form.getInputProps('bank')}
        {...checks.field('bank')}
      />
      <TextInput
        label={t('account.number')}
        withAsterisk
        maxLength={34}
        inputMode="numeric"
        autoComplete="off"
        {...form.getInputProps('number')}
        {...checks.field('number')}
      />
      <TextInput
        label={t('account.holder')}
        withAsterisk
        maxLength={120}
        {...form.getInputProps('holder')}
        {...checks.field('holder')}
      />
      <MultiSelect
        label={t('account.sources')}
        data={[
          ...banks.map(({ code, name: label }) => ({ value: code, label })),
          ...form.values.sources
            .filter((code) => !banks.some((one) => one.code === code))
            .map((code) => ({ value: code, label: code })),
        ]}
        {...form.getInputProps('sources')}
        {...checks.field('sources')}
      />
      <Checkbox
        label={t('account.takesTransfers')}
        {...form.getInputProps('takesTransfers', { type: 'checkbox' })}
        {...checks.field('takesTransfers')}
      />
      {account && (
        <Checkbox
          label={t('account.active')}
          {...form.getInputProps('active', { type: 'checkbox' })}
          {...checks.field('active')}
        />
      )}
      <Textarea
        label={d('pending.reason')}
        autosize
        minRows={2}
        maxLength={500}
        {...form.getInputProps('reason')}
        {...checks.field('reason')}
      />
    </AskDialog>
  )
}

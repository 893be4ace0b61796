import { Checkbox, MultiSelect, Text, Textarea, TextInput } from '@mantine/core'
import { type BankAccount, createBankAccount, updateBankAccount } from '#domain/payments/reconciliation/endpoints.ts'
import { useForm } from '#web/api/use-form.ts'
import { useApprovalWords } from '#web/modules/payments/approvals/words.ts'
import { DialogForm } from '#web/ui/form/form.tsx'
import { useReconciliationWords } from './words.ts'

type Props = {
  /** Missing when adding an account. */
  account?: BankAccount | undefined
  banks: readonly { code: string; name: string }[]
  onClose: () => void
}

/** Requests a new or changed bank account of the university: its name and the banks that pay into it. */
export function AccountDialog({ account, banks, onClose }: Props) {
  const { t } = useReconciliationWords()
  const { t: d } = useApprovalWords()
  const form = useForm({
    call: account ? updateBankAccount : createBankAccount,
    params: account && { id: account.id },
    start: {
      name: account?.name ?? '',
      bank: account?.bank ?? '',
      number: account?.number ?? '',
      holder: account?.holder ?? '',
      takesTransfers: account?.takesTransfers ?? false,
      sources: account?.sources ?? [],
      active: account?.active ?? true,
      reason: '',
    },
    body: ({ active, reason, ...content }) => ({
      ...content,
      ...(reason.trim() && { reason: reason.trim() }),
      ...(account && { active, version: account.version }),
    }),
    done: d('pending.sent'),
    onDone: onClose,
  })
  return (
    <DialogForm
      form={form}
      title={t(account ? 'account.edit' : 'account.add')}
      submit={d('pending.send')}
      onClose={onClose}
    >
      <Text size="sm" c="dimmed">
        {d('pending.text')}
      </Text>
      <TextInput label={t('account.name')} description={t('account.nameHelp')} data-autofocus {...form.text('name')} />
      <TextInput label={t('account.bank')} {...form.text('bank')} />
      <TextInput label={t('account.number')} inputMode="numeric" autoComplete="off" {...form.text('number')} />
      <TextInput label={t('account.holder')} {...form.text('holder')} />
      <MultiSelect
        label={t('account.sources')}
        data={[
          ...banks.map(({ code, name: label }) => ({ value: code, label })),
          ...form.values.sources
            .filter((code) => !banks.some((bank) => bank.code === code))
            .map((code) => ({ value: code, label: code })),
        ]}
        {...form.value('sources')}
      />
      <Checkbox label={t('account.takesTransfers')} {...form.box('takesTransfers')} />
      {account && <Checkbox label={t('account.active')} {...form.box('active')} />}
      <Textarea label={d('pending.reason')} autosize minRows={2} {...form.text('reason')} />
    </DialogForm>
  )
}

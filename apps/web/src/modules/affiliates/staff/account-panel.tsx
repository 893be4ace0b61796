import { Anchor, Stack, Text, TextInput } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import { linkAffiliateAccount, readAffiliateAccount } from '#domain/affiliates/endpoints.ts'
import { rupiah } from '#locales/format.ts'
import { useEndpoint } from '#web/api/query.ts'
import { useForm } from '#web/api/use-form.ts'
import { useSession } from '#web/shell/session/session.tsx'
import { Card } from '#web/ui/card.tsx'
import { Facts } from '#web/ui/facts.tsx'
import { PageForm } from '#web/ui/form/form.tsx'
import { LoadingOrFailed } from '#web/ui/states/missing.tsx'

/** An affiliate's account and commission balance. */
export default function AccountPanel({ id }: { id: string }) {
  const { t } = useTranslation('affiliates')
  const { may } = useSession()
  return may(readAffiliateAccount.access) ? <Account id={id} /> : <Text>{t('link.noRight')}</Text>
}

function Account({ id }: { id: string }) {
  const { t } = useTranslation('affiliates')
  const { may } = useSession()
  const answer = useEndpoint(readAffiliateAccount, { params: { id } })
  const data = answer.data?.data
  if (!data) return <LoadingOrFailed error={answer.error} onRetry={answer.refetch} rows={4} />
  const { affiliate, account, balance } = data
  return (
    <Card title={t('link.title')}>
      <Stack>
        <Facts
          facts={[
            [t('link.account'), account ? `${account.name} (${account.email})` : t('link.none')],
            [t('link.balance'), rupiah(balance.balance)],
            [t('link.payable'), rupiah(balance.payable)],
          ]}
        />
        <Anchor component={Link} to={`/komisi?affiliateId=${affiliate.id}`}>
          {t('link.ledger')}
        </Anchor>
        {may(linkAffiliateAccount.access) && (
          <LinkForm key={account?.id} id={affiliate.id} email={account?.email ?? ''} />
        )}
      </Stack>
    </Card>
  )
}

function LinkForm({ id, email: linked }: { id: string; email: string }) {
  const { t } = useTranslation('affiliates')
  const form = useForm({
    call: linkAffiliateAccount,
    params: { id },
    start: { email: linked },
    body: ({ email }) => ({ email: email.trim() }),
    done: t('link.saved'),
  })
  return (
    <PageForm form={form} submit={t('link.save')} maw={480}>
      <TextInput type="email" label={t('link.email')} description={t('link.emailHelp')} {...form.text('email')} />
    </PageForm>
  )
}

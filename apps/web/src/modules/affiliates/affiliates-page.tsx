import { Anchor, Avatar, Badge, Button, Group, Stack, Text, TextInput } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Link, useLocation } from 'react-router'
import { listPublicAffiliates, type PublicAffiliate } from '#domain/affiliates/endpoints.ts'
import { shortBiography } from '#domain/affiliates/short-biography.ts'
import { searchKeyOf } from '#domain/search/search-key.ts'
import { useEndpoint } from '#web/api/query.ts'
import { rememberArrival } from '#web/modules/accounts/arrival.ts'
import { useScreenTitle } from '#web/shell/title.tsx'
import { Card } from '#web/ui/card.tsx'
import { PageHeader } from '#web/ui/page-header.tsx'
import { EmptyState } from '#web/ui/states/empty-state.tsx'
import { LoadingOrFailed } from '#web/ui/states/missing.tsx'
import classes from './affiliates.module.css'

/** All affiliates who agreed to be listed. */
export default function AffiliatesPage() {
  const { t } = useTranslation('affiliates')
  const { search } = useLocation()
  useState(() => rememberArrival(search))
  const [typed, setTyped] = useState('')
  const { data, error, refetch } = useEndpoint(listPublicAffiliates)
  const all = data?.data
  const word = searchKeyOf(typed.trim())
  const found = all?.filter(({ name, programmes }) =>
    [name, ...programmes].some((text) => searchKeyOf(text).includes(word)),
  )
  const title = useScreenTitle()
  return (
    <Stack maw={1080} mx="auto">
      <PageHeader
        title={title}
        description={t('public.text')}
        actions={
          <Button component={Link} to="/afiliator-saya" variant="default" mih={44}>
            {t('public.become')}
          </Button>
        }
      />
      {!all || !found ? (
        <LoadingOrFailed error={error} onRetry={refetch} rows={4} height={96} />
      ) : all.length === 0 ? (
        <Card>
          <EmptyState title={t('public.empty')}>
            <Text>{t('public.emptyText')}</Text>
          </EmptyState>
        </Card>
      ) : (
        <>
          <TextInput
            type="search"
            size="md"
            label={t('public.search')}
            value={typed}
            onChange={(event) => setTyped(event.currentTarget.value)}
          />
          {found.length === 0 && <Text role="status">{t('public.noMatch')}</Text>}
          <ul className={classes.grid}>
            {found.map((person) => (
              <li key={person.path}>
                <Person person={person} />
              </li>
            ))}
          </ul>
        </>
      )}
    </Stack>
  )
}

function Person({ person }: { person: PublicAffiliate }) {
  const { t } = useTranslation('affiliates')
  const { path, name, kind, photo, biography, programmes, helped } = person
  return (
    <Card>
      <div className={classes.person}>
        <Avatar src={photo} name={name} color="initials" size={64} alt="" />
        <div className={classes.words}>
          <Anchor component={Link} to={`/afiliator/${path}`} fw={600}>
            {name}
          </Anchor>
          <Text size="sm" c="dimmed">
            {t(`kind.${kind}`)}
            {helped ? ` · ${t('public.helped', { count: helped })}` : ''}
          </Text>
          {biography && <Text>{shortBiography(biography)}</Text>}
          <Group gap={4} mt={4}>
            {programmes.slice(0, 3).map((programme) => (
              <Badge key={programme} variant="default" tt="none" h="auto">
                {programme}
              </Badge>
            ))}
          </Group>
        </div>
      </div>
    </Card>
  )
}

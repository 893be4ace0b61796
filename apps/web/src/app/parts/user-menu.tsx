import { Avatar, Menu, Text } from '@mantine/core'
import { IconLogout, IconSettings, IconUser } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import { Link, useNavigate } from 'react-router'
import { applicantRole } from '#domain/accounts/redirect.ts'
import { navigationConstants } from '#domain/navigation/constants.ts'
import { useSession } from '../session.tsx'
import classes from './header.module.css'

const initials = (name: string) =>
  name
    .split(/\s+/)
    .filter(Boolean)
    .map((word) => word[0])
    .filter((_, index, all) => index === 0 || index === all.length - 1)
    .join('')
    .toUpperCase()

export function UserMenu() {
  const { t } = useTranslation('navigation')
  const { user, profile, signOut } = useSession()
  const navigate = useNavigate()
  if (!user) return null
  const name = profile?.fullName ?? user.name
  return (
    <Menu position="bottom-end" width={260} zIndex={navigationConstants.dropdownZIndex}>
      <Menu.Target>
        <button type="button" className={classes.user} aria-label={`${t('user')}: ${name}`}>
          <Avatar size={38} radius="xl" color="primary" variant="light" aria-hidden>
            {initials(name)}
          </Avatar>
        </button>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Label>
          <Text fw={600} c="var(--mantine-color-text)" truncate>
            {name}
          </Text>
          <Text size="sm" truncate>
            {user.email}
          </Text>
          <Text size="sm">{user.role.name}</Text>
        </Menu.Label>
        <Menu.Divider />
        {user.role.name === applicantRole && (
          <Menu.Item component={Link} to="/account/overview" leftSection={<IconUser size={18} aria-hidden />}>
            {t('account')}
          </Menu.Item>
        )}
        <Menu.Item component={Link} to="/account/settings" leftSection={<IconSettings size={18} aria-hidden />}>
          {t('accountSettings')}
        </Menu.Item>
        <Menu.Item
          leftSection={<IconLogout size={18} aria-hidden />}
          onClick={() => {
            void signOut()
            navigate('/sign-in')
          }}
        >
          {t('signOut')}
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  )
}

import { ActionIcon, Button, Input, Popover, ScrollArea, Stack, TextInput } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import classes from '#web/modules/access/access.module.css'
import { MenuIcon, menuIconNames } from '#web/shell/menu/menu-icons.tsx'

type Props = { value: string | null; onChange: (value: string | null) => void }

/** Selects a menu icon, searched by name. */
export function IconPicker({ value, onChange }: Props) {
  const { t } = useTranslation('access')
  const [open, setOpen] = useState(false)
  const [query, setQuery] = useState('')
  const matches = menuIconNames.filter((name) => name.includes(query.trim().toLowerCase().replaceAll(' ', '-')))
  const choose = (name: string | null) => {
    onChange(name)
    setOpen(false)
  }
  return (
    <Input.Wrapper label={t('menus.icon')} labelElement="div">
      <Popover opened={open} onChange={setOpen} trapFocus shadow="md" position="bottom-start">
        <Popover.Target>
          <Button
            variant="default"
            size="sm"
            display="block"
            leftSection={value && <MenuIcon name={value} size={18} />}
            aria-haspopup="dialog"
            onClick={() => setOpen(!open)}
          >
            {value ?? t('menus.noIcon')}
          </Button>
        </Popover.Target>
        <Popover.Dropdown>
          <Stack gap="sm">
            <TextInput
              size="sm"
              aria-label={t('menus.searchIcon')}
              placeholder={t('menus.searchIcon')}
              value={query}
              onChange={(event) => setQuery(event.currentTarget.value)}
            />
            <ScrollArea.Autosize mah={260}>
              <div className={classes.icons}>
                {matches.map((name) => (
                  <ActionIcon
                    key={name}
                    size={40}
                    variant={name === value ? 'light' : 'subtle'}
                    color={name === value ? undefined : 'gray'}
                    aria-label={name}
                    aria-pressed={name === value}
                    title={name}
                    onClick={() => choose(name)}
                  >
                    <MenuIcon name={name} />
                  </ActionIcon>
                ))}
              </div>
            </ScrollArea.Autosize>
            <Button variant="subtle" size="compact-sm" onClick={() => choose(null)} children={t('menus.noIcon')} />
          </Stack>
        </Popover.Dropdown>
      </Popover>
    </Input.Wrapper>
  )
}

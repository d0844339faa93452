/** Views to show in the harness: the state that a host would send, with a word for each part that a test wants. */

/** @typedef {import('../../src/protocol/viewModel').PanelView} PanelView */
/** @typedef {import('../../src/protocol/entryView').EntryView} EntryView */
/** @typedef {import('../../src/protocol/toolCallView').ToolCallView} ToolCallView */
/** @typedef {import('../../src/protocol/terminalView').TerminalView} TerminalView */
/** @typedef {import('../../src/protocol/diffView').DiffView} DiffView */
/** @typedef {import('../../src/protocol/viewModel').ThreadView} ThreadView */
/** @typedef {import('../../src/protocol/formView').ElicitationView} ElicitationView */
/** @typedef {import('../../src/protocol/formView').FormFieldView} FormFieldView */

/** @typedef {import('../../src/protocol/optionView').SelectOptionView} SelectOptionView */

/** The one moment that all scenes are of: pictures of them move it to another. */
export const now = Date.now();

/** A turn that has run for 14 seconds. */
export const turn = { running: true, startedAt: now - 14_000, stopping: false, canForceStop: false };

/** @param {Partial<SelectOptionView>} [fields] @returns {SelectOptionView} */
export function modeOption(fields = {}) {
  return {
    type: 'select',
    key: 'config:mode',
    name: 'Mode',
    role: 'mode',
    value: 'ask',
    valueName: 'Ask first',
    choices: [
      { value: 'ask', name: 'Ask first', description: 'Asks before each change' },
      { value: 'auto', name: 'Auto', description: 'Changes files without asking' },
      {
        value: 'bypass',
        name: 'Bypass permissions',
        description: 'Never asks; meant for disposable environments',
        permissive: true,
      },
    ],
    pending: false,
    permissive: false,
    ...fields,
  };
}

/**
 * As much as agents offer: every role, groups, two that are on or off, and one of the agent's own.
 * @returns {import('../../src/protocol/optionView').OptionView[]}
 */
export function manyOptions() {
  return [
    modeOption(),
    {
      type: 'select',
      key: 'config:collaboration',
      name: 'Collaboration mode',
      description: 'How the agent works with you',
      value: 'default',
      valueName: 'Default',
      choices: [
        { value: 'default', name: 'Default' },
        { value: 'plan', name: 'Plan', description: 'Plans before it makes changes' },
      ],
      pending: false,
      permissive: false,
    },
    {
      type: 'select',
      key: 'config:model',
      name: 'Model',
      description: 'AI model to use',
      role: 'model',
      value: 'astra',
      valueName: 'OpenCode Zen/Astra 6 Preview (recommended)',
      choices: [
        {
          value: 'sol',
          name: 'Sol 6.1',
          group: 'Latest',
          description: 'Efficient for routine tasks · $2/$10 per Mtok',
        },
        {
          value: 'astra',
          name: 'OpenCode Zen/Astra 6 Preview (recommended)',
          group: 'Latest',
          description: 'Most capable for your hardest and longest-running tasks · $10/$50 per Mtok',
        },
        { value: 'luna', name: 'Luna 6', group: 'Older', description: 'Fastest for quick answers' },
        ...Array.from({ length: 12 }, (_, i) => ({ value: `old-${i}`, name: `Sol 5.${i}`, group: 'Older' })),
      ],
      pending: false,
      permissive: false,
    },
    {
      type: 'select',
      key: 'config:effort',
      name: 'Reasoning effort',
      role: 'thoughtLevel',
      value: 'high',
      valueName: 'High',
      choices: [
        { value: 'low', name: 'Low' },
        { value: 'high', name: 'High', description: 'Greater reasoning depth' },
      ],
      pending: false,
      permissive: false,
    },
    {
      type: 'boolean',
      key: 'config:fast',
      name: 'Fast mode',
      description: '1.5x speed, increased usage',
      value: true,
      pending: false,
    },
    { type: 'boolean', key: 'config:ultra', name: 'Dynamic workflows', value: false, pending: false },
  ];
}

/** A panel whose agent is ready. @param {Partial<PanelView>} [fields] @returns {PanelView} */
export function panelView(fields = {}) {
  return {
    agent: 'Demo Agent',
    connection: { state: 'ready' },
    turn: { running: false, stopping: false, canForceStop: false },
    options: [modeOption()],
    commands: [],
    plan: [],
    notices: [],
    changes: [],
    fileStates: [],
    queue: [],
    waitingElsewhere: [],
    pendingQuestions: [],
    promptCapabilities: { image: true, audio: false, embeddedContext: true },
    attachments: [],
    sendWith: 'enter',
    history: [],
    ...fields,
  };
}

/**
 * As the host says it of a turn in which something waits for the user.
 * @param {PanelView} panel
 * @returns {PanelView}
 */
function waitingWith(panel) {
  const { turn, pendingQuestions, signIn } = panel;
  return turn.running && !turn.stopping && (pendingQuestions.length > 0 || signIn)
    ? { ...panel, turn: { ...turn, waits: true } }
    : panel;
}

/**
 * @param {EntryView[]} entries
 * @param {Partial<PanelView>} [panel]
 * @param {TerminalView[]} [terminals]
 * @returns {ThreadView}
 */
export function threadView(entries = [], panel = {}, terminals = []) {
  return { threadId: 'thread', panel: waitingWith(panelView(panel)), entries, terminals };
}

/**
 * @param {string} id
 * @param {Partial<import('../../src/protocol/attachments').AttachmentView>} [fields]
 * @returns {import('../../src/protocol/attachments').AttachmentView}
 */
export function attachment(id, fields = {}) {
  return { id, kind: 'file', label: 'tokenizer.ts', detail: 'src/tokenizer.ts', linkable: true, ...fields };
}

/** A small picture: a chequered gradient. */
export const picture = {
  mimeType: 'image/png',
  data: 'iVBORw0KGgoAAAANSUhEUgAAAGAAAABACAIAAABqVuVZAAA0rUlEQVR42gzXYUdzDQAG4GlyaHJoMpqMJqPJaDLandFkNBlNRovRYrQYLUaLQ4vRYrQYLXZrMVpMFpPFZHFkMVkcWUzeSEQiEn14n79wfbtUKhV6VOhVQVChT4V+FUQVBlQYVEGnwpAKwyoYVBxRcVRFk4pjKo6raFFxQsVJFW0qTqk4raJDhRkVZlVwqTCnwrwKHhUWVFhUwafCkgrLKgRUXFFxVcWQimsqrqsYUXFDxU0VYypuqbitoqTCjgq7KiRV2FNhX4W0CgcqHKqQVeFIhWMV8iqeqHiqYlHFMxXPVSyreKHipYpVFa9UvFaxrsKNCrcqyCrcqXCvQkuFBxUeVVBUeFLhWYWuii8qvqr4puK7ih8qfqr4peK3ij8q/qr4p6JKpUaPGr1qCGr0qdGvhqjGgBqDaujUGFJjWA2DmiNqjqppUnNMzXE1LWpOqDmppk3NKTWn1XSoMaPGrBouNebUmFfDo8aCGotq+NRYUmNZjYCaK2quqhlSc03NdTUjam6oualmTM0tNbfVlNTYUWNXjaQae2rsq5FW40CNQzWyahypcaxGXs0TNU/VLKp5pua5mmU1L9S8VLOq5pWa12rW1bhR41YNWY07Ne7VaKnxoMajGooaT2o8q9FV80XNVzXf1HxX80PNTzW/1PxW80fNXzX/1P+ABPQI6BUgCOgT0C9AFDAgYFCATsCQgGEBBoEjAkcFmgSOCRwXaBE4IXBSoE3glMBpgQ4BMwJmBbgEzAmYF+ARsCBgUYBPwJKAZQEBgSsCVwWGBK4JXBcYEbghcFNgTOCWwG2BkoAdAbsCkgL2BOwLSAs4EHAoICvgSMCxgLzAE4GnAosCzwSeCywLvBB4KbAq8ErgtcC6gBsBtwJkAXcC7gW0BDwIeBSgCHgS8CygK/BF4KvAN4HvAj8Efgr8Evgt8Efgr8A/4R+QBj0a9GogaNCnQb8GogYDGgxqoNNgSINhDQwajmg4qqFJwzENxzW0aDih4aSGNg2nNJzW0KHBjAazGrg0mNNgXgOPBgsaLGrg02BJg2UNAhquaLiqYUjDNQ3XNYxouKHhpoYxDbc03NZQ0mBHg10NkhrsabCvQVqDAw0ONchqcKTBsQZ5DU80PNWwqOGZhucaljW80PBSw6qGVxpea1jX4EaDWw1kDe40uNegpcGDBo8aKBo8afCsQVfDFw1fNXzT8F3DDw0/NfzS8FvDHw1/NfzT/AMS0SOiV4Qgok9EvwhRxICIQRE6EUMihkUYRI6IHBVpEjkmclykReSEyEmRNpFTIqdFOkTMiJgV4RIxJ2JehEfEgohFET4RSyKWRQRErohcFRkSuSZyXWRE5IbITZExkVsit0VKInZE7IpIitgTsS8iLeJAxKGIrIgjEcci8iJPRJ6KLIo8E3kusizyQuSlyKrIK5HXIusibkTcipBF3Im4F9ES8SDiUYQi4knEs4iuyBeRryLfRL6L/BD5KfJL5LfIH5G/Iv/Ef0Ba9GjRq4WgRZ8W/VqIWgxoMaiFToshLYa1MGg5ouWoliYtx7Qc19Ki5YSWk1ratJzSclpLhxYzWsxq4dJiTot5LTxaLGixqIVPiyUtlrUIaLmi5aqWIS3XtFzXMqLlhpabWsa03NJyW0tJix0tdrVIarGnxb4WaS0OtDjUIqvFkRbHWuS1PNHyVMuilmdanmtZ1vJCy0stq1peaXmtZV2LGy1utZC1uNPiXouWFg9aPGqhaPGkxbMWXS1ftHzV8k3Ldy0/tPzU8kvLby1/tPzV8k/7D0iHHh16dRB06NOhXwdRhwEdBnXQ6TCkw7AOBh1HdBzV0aTjmI7jOlp0nNBxUkebjlM6Tuvo0GFGh1kdXDrM6TCvg0eHBR0WdfDpsKTDsg4BHVd0XNUxpOOajus6RnTc0HFTx5iOWzpu6yjpsKPDrg5JHfZ02NchrcOBDoc6ZHU40uFYh7yOJzqe6ljU8UzHcx3LOl7oeKljVccrHa91rOtwo8OtDrIOdzrc69DS4UGHRx0UHZ50eNahq+OLjq86vun4ruOHjp86fun4reOPjr86/un+AenRo0evHoIefXr06yHqMaDHoB46PYb0GNbDoOeInqN6mvQc03NcT4ueE3pO6mnTc0rPaT0deszoMauHS485Peb18OixoMeiHj49lvRY1iOg54qeq3qG9FzTc13PiJ4bem7qGdNzS89tPSU9dvTY1SOpx54e+3qk9TjQ41CPrB5HehzrkdfzRM9TPYt6nul5rmdZzws9L/Ws6nml57WedT1u9LjVQ9bjTo97PVp6POjxqIeix5Mez3p09XzR81XPNz3f9fzQ81PPLz2/9fzR81fPP/0/IAN6DOg1QDCgz4B+A0QDBgwYNEBnwJABwwYYDBwxcNRAk4FjBo4baDFwwsBJA20GThk4baDDgBkDZg1wGTBnwLwBHgMWDFg0wGfAkgHLBgQMXDFw1cCQgWsGrhsYMXDDwE0DYwZuGbhtoGTAjgG7BiQN2DNg34C0AQcGHBqQNeDIgGMD8gaeGHhqYNHAMwPPDSwbeGHgpYFVA68MvDawbsCNAbcGyAbcGXBvQMuABwMeDVAMeDLg2YCugS8Gvhr4ZuC7gR8Gfhr4ZeC3gT8G/hr4Z/gHZESPEb1GCEb0GdFvhGjEgBGDRuiMGDJi2AiDkSNGjhppMnLMyHEjLUZOGDlppM3IKSOnjXQYMWPErBEuI+aMmDfCY8SCEYtG+IxYMmLZiICRK0auGhkycs3IdSMjRm4YuWlkzMgtI7eNlIzYMWLXiKQRe0bsG5E24sCIQyOyRhwZcWxE3sgTI0+NLBp5ZuS5kWUjL4y8NLJq5JWR10bWjbgx4tYI2Yg7I+6NaBnxYMSjEYoRT0Y8G9E18sXIVyPfjHw38sPITyO/jPw28sfIXyP/jP+ATOgxodcEwYQ+E/pNEE0YMGHQBJ0JQyYMm2AwccTEURNNJo6ZOG6ixcQJEydNtJk4ZeK0iQ4TZkyYNcFlwpwJ8yZ4TFgwYdEEnwlLJiybEDBxxcRVE0Mmrpm4bmLExA0TN02Mmbhl4raJkgk7JuyakDRhz4R9E9ImHJhwaELWhCMTjk3Im3hi4qmJRRPPTDw3sWzihYmXJlZNvDLx2sS6CTcm3Jogm3Bnwr0JLRMeTHg0QTHhyYRnE7omvpj4auKbie8mfpj4aeKXid8m/pj4a+Kf6R+QGT1m9JohmNFnRr8ZohkDZgyaoTNjyIxhMwxmjpg5aqbJzDEzx820mDlh5qSZNjOnzJw202HGjBmzZrjMmDNj3gyPGQtmLJrhM2PJjGUzAmaumLlqZsjMNTPXzYyYuWHmppkxM7fM3DZTMmPHjF0zkmbsmbFvRtqMAzMOzciacWTGsRl5M0/MPDWzaOaZmedmls28MPPSzKqZV2Zem1k348aMWzNkM+7MuDejZcaDGY9mKGY8mfFsRtfMFzNfzXwz893MDzM/zfwy89vMHzN/zfwz/wOysMfCXgsFC/ss7LdQtHDAwkELdRYOWThsocGCEQtGLTBZMGbBuAUWCyYsmLTAZsGUBdMWOCycsXDWQpeFcxbOW+ixcMHCRQt9Fi5ZuGxhwIIVC1YtCFmwZsG6BRELNizYtCBmwZYF2xZIFu5YuGth0sI9C/ctTFt4YOGhhVkLjyw8tjBvwYkFpxYULTiz4NyCsgUXFlxaULXgyoJrC+oW3lh4a6Fs4Z2F9xa2LHyw8NFCxcInC58t7FrwYsGrBW8WvFvwYcGnBV8WfFvwY8GvBX8WqFRW9ljZa6VgZZ+V/VaKVg5YOWilzsohK4etNFgxYsWoFSYrxqwYt8JixYQVk1bYrJiyYtoKh5UzVs5a6bJyzsp5Kz1WLli5aKXPyiUrl60MWLFixaoVISvWrFi3ImLFhhWbVsSs2LJi2wrJyh0rd61MWrln5b6VaSsPrDy0MmvlkZXHVuatOLHi1IqiFWdWnFtRtuLCiksrqlZcWXFtRd3KGytvrZStvLPy3sqWlQ9WPlqpWPlk5bOVXSterHi14s2Kdys+rPi04suKbyt+rPi14s/6D8jGHht7bRRs7LOx30bRxgEbB23U2Thk47CNBhtGbBi1wWTDmA3jNlhsmLBh0gabDVM2TNvgsHHGxlkbXTbO2Thvo8fGBRsXbfTZuGTjso0BG1ZsWLUhZMOaDes2RGzYsGHThpgNWzZs2yDZuGPjro1JG/ds3LcxbeOBjYc2Zm08svHYxrwNJzac2lC04cyGcxvKNlzYcGlD1YYrG65tqNt4Y+OtjbKNdzbe29iy8cHGRxsVG59sfLaxa8OLDa82vNnwbsOHDZ82fNnwbcOPDb82/Nn+AdnZY2evnYKdfXb22ynaOWDnoJ06O4fsHLbTYMeIHaN2mOwYs2PcDosdE3ZM2mGzY8qOaTscds7YOWuny845O+ft9Ni5YOeinT47l+xctjNgx4odq3aE7FizY92OiB0bdmzaEbNjy45tOyQ7d+zctTNp556d+3am7Tyw89DOrJ1Hdh7bmbfjxI5TO4p2nNlxbkfZjgs7Lu2o2nFlx7UddTtv7Ly1U7bzzs57O1t2Ptj5aKdi55Odz3Z27Xix49WONzve7fiw49OOLzu+7fix49eOP/s/IAd7HOx1UHCwz8F+B0UHBxwcdFDn4JCDww4aHBhxYNQBkwNjDow7YHFgwoFJB2wOTDkw7YDDwRkHZx10OTjn4LyDHgcXHFx00OfgkoPLDgYcWHFg1YGQA2sOrDsQcWDDgU0HYg5sObDtgOTgjoO7DiYd3HNw38G0gwcOHjqYdfDIwWMH8w6cOHDqQNGBMwfOHSg7cOHApQNVB64cuHag7uCNg7cOyg7eOXjvYMvBBwcfHVQcfHLw2cGuAy8OvDrw5sC7Ax8OfDrw5cC3Az8O/Drw5/gH5GSPk71OCk72OdnvpOjkgJODTuqcHHJy2EmDEyNOjDphcmLMiXEnLE5MODHphM2JKSemnXA4OePkrJMuJ+ecnHfS4+SCk4tO+pxccnLZyYATK06sOhFyYs2JdSciTmw4selEzIktJ7adkJzccXLXyaSTe07uO5l28sDJQyezTh45eexk3okTJ06dKDpx5sS5E2UnLpy4dKLqxJUT107Unbxx8tZJ2ck7J++dbDn54OSjk4qTT04+O9l14sWJVyfenHh34sOJTye+nPh24seJXyf+nP+AXOxxsddFwcU+F/tdFF0ccHHQRZ2LQy4Ou2hwYcSFURdMLoy5MO6CxYUJFyZdsLkw5cK0Cw4XZ1ycddHl4pyL8y56XFxwcdFFn4tLLi67GHBhxYVVF0IurLmw7kLEhQ0XNl2IubDlwrYLkos7Lu66mHRxz8V9F9MuHrh46GLWxSMXj13Mu3DiwqkLRRfOXDh3oezChQuXLlRduHLh2oW6izcu3roou3jn4r2LLRcfXHx0UXHxycVnF7suvLjw6sKbC+8ufLjw6cKXC98u/Ljw68Kf6x+Qmz1u9ropuNnnZr+bopsDbg66qXNzyM1hNw1ujLgx6obJjTE3xt2wuDHhxqQbNjem3Jh2w+HmjJuzbrrcnHNz3k2PmwtuLrrpc3PJzWU3A26suLHqRsiNNTfW3Yi4seHGphsxN7bc2HZDcnPHzV03k27uubnvZtrNAzcP3cy6eeTmsZt5N07cOHWj6MaZG+dulN24cOPSjaobV25cu1F388bNWzdlN+/cvHez5eaDm49uKm4+ufnsZteNFzde3Xhz492NDzc+3fhy49uNHzd+3fhz/wPysMfDXg8FD/s87PdQ9HDAw0EPdR4OeTjsocGDEQ9GPTB5MObBuAcWDyY8mPTA5sGUB9MeODyc8XDWQ5eHcx7Oe+jxcMHDRQ99Hi55uOxhwIMVD1Y9CHmw5sG6BxEPNjzY9CDmwZYH2x5IHu54uOth0sM9D/c9THt44OGhh1kPjzw89jDvwYkHpx4UPTjz4NyDsgcXHlx6UPXgyoNrD+oe3nh466Hs4Z2H9x62PHzw8NFDxcMnD5897Hrw4sGrB28evHvw4cGnB18efHvw48GvB3+ef0Be9njZ66XgZZ+X/V6KXg54OeilzsshL4e9NHgx4sWoFyYvxrwY98LixYQXk17YvJjyYtoLh5czXs566fJyzst5Lz1eLni56KXPyyUvl70MeLHixaoXIS/WvFj3IuLFhhebXsS82PJi2wvJyx0vd71Mernn5b6XaS8PvDz0MuvlkZfHXua9OPHi1IuiF2denHtR9uLCi0svql5ceXHtRd3LGy9vvZS9vPPy3suWlw9ePnqpePnk5bOXXS9evHj14s2Ldy8+vPj04suLby9+vPj14s/7D8jHHh97fRR87POx30fRxwEfB33U+Tjk47CPBh9GfBj1weTDmA/jPlh8mPBh0gebD1M+TPvg8HHGx1kfXT7O+Tjvo8fHBR8XffT5uOTjso8BH1Z8WPUh5MOaD+s+RHzY8GHTh5gPWz5s+yD5uOPjro9JH/d83Pcx7eOBj4c+Zn088vHYx7wPJz6c+lD04cyHcx/KPlz4cOlD1YcrH659qPt44+Otj7KPdz7e+9jy8cHHRx8VH598fPax68OLD68+vPnw7sOHD58+fPnw7cOPD78+/Pn+AfnZ42evn4KffX72+yn6OeDnoJ86P4f8HPbT4MeIH6N+mPwY82PcD4sfE35M+mHzY8qPaT8cfs74Oeuny885P+f99Pi54Oeinz4/l/xc9jPgx4ofq36E/FjzY92PiB8bfmz6EfNjy49tPyQ/d/zc9TPp556f+36m/Tzw89DPrJ9Hfh77mffjxI9TP4p+nPlx7kfZjws/Lv2o+nHlx7UfdT9v/Lz1U/bzzs97P1t+Pvj56Kfi55Ofz352/Xjx49WPNz/e/fjw49OPLz++/fjx49ePP/8/oAB6AugNQAigL4D+AMQABgIYDEAXwFAAwwEYAhwJcDRAU4BjAY4HaAlwIsDJAG0BTgU4HaAjgJkAZgNwBTAXwHwAngAWAlgMwBfAUgDLAQQCXAlwNcBQgGsBrgcYCXAjwM0AYwFuBbgdoBTATgC7ASQD2AtgP4B0AAcBHAaQDeAogOMA8gGeBHgaYDHAswDPAywHeBHgZYDVAK8CvA6wHsBNALcByAHcBXAfQCuAhwAeA1ACeArgOYBugC8Bvgb4FuB7gB8Bfgb4FeB3gD8B/gb4F/iX1SB6gugNQgiiL4j+IMQgBoIYDEIXxFAQw0EYghwJcjRIU5BjQY4HaQlyIsjJIG1BTgU5HaQjiJkgZoNwBTEXxHwQniAWglgMwhfEUhDLQQSCXAlyNchQkGtBrgcZCXIjyM0gY0FuBbkdpBTEThC7QSSD2AtiP4h0EAdBHAaRDeIoiOMg8kGeBHkaZDHIsyDPgywHeRHkZZDVIK+CvA6yHsRNELdByEHcBXEfRCuIhyAeg1CCeAriOYhukC9Bvgb5FuR7kB9Bfgb5FeR3kD9B/gb5F/wHFEJPCL0hCCH0hdAfghjCQAiDIehCGAphOARDiCMhjoZoCnEsxPEQLSFOhDgZoi3EqRCnQ3SEMBPCbAiuEOZCmA/BE8JCCIsh+EJYCmE5hECIKyGuhhgKcS3E9RAjIW6EuBliLMStELdDlELYCWE3hGQIeyHsh5AO4SCEwxCyIRyFcBxCPsSTEE9DLIZ4FuJ5iOUQL0K8DLEa4lWI1yHWQ7gJ4TYEOYS7EO5DaIXwEMJjCEoITyE8h9AN8SXE1xDfQnwP8SPEzxC/QvwO8SfE3xD/Qv+AwugJozcMIYy+MPrDEMMYCGMwDF0YQ2EMh2EIcyTM0TBNYY6FOR6mJcyJMCfDtIU5FeZ0mI4wZsKYDcMVxlwY82F4wlgIYzEMXxhLYSyHEQhzJczVMENhroW5HmYkzI0wN8OMhbkV5naYUhg7YeyGkQxjL4z9MNJhHIRxGEY2jKMwjsPIh3kS5mmYxTDPwjwPsxzmRZiXYVbDvArzOsx6GDdh3IYhh3EXxn0YrTAewngMQwnjKYznMLphvoT5GuZbmO9hfoT5GeZXmN9h/oT5G+Zf+B9QBD0R9EYgRNAXQX8EYgQDEQxGoItgKILhCAwRjkQ4GqEpwrEIxyO0RDgR4WSEtginIpyO0BHBTASzEbgimItgPgJPBAsRLEbgi2ApguUIAhGuRLgaYSjCtQjXI4xEuBHhZoSxCLci3I5QimAngt0IkhHsRbAfQTqCgwgOI8hGcBTBcQT5CE8iPI2wGOFZhOcRliO8iPAywmqEVxFeR1iP4CaC2wjkCO4iuI+gFcFDBI8RKBE8RfAcQTfClwhfI3yL8D3Cjwg/I/yK8DvCnwh/I/yL/AOKoieK3iiEKPqi6I9CjGIgisEodFEMRTEchSHKkShHozRFORbleJSWKCeinIzSFuVUlNNROqKYiWI2ClcUc1HMR+GJYiGKxSh8USxFsRxFIMqVKFejDEW5FuV6lJEoN6LcjDIW5VaU21FKUexEsRtFMoq9KPajSEdxEMVhFNkojqI4jiIf5UmUp1EWozyL8jzKcpQXUV5GWY3yKsrrKOtR3ERxG4UcxV0U91G0oniI4jEKJYqnKJ6j6Eb5EuVrlG9Rvkf5EeVnlF9Rfkf5E+VvlH/Rf0Ax9MTQG4MQQ18M/TGIMQzEMBiDLoahGIZjMMQ4EuNojKYYx2Icj9ES40SMkzHaYpyKcTpGRwwzMczG4IphLob5GDwxLMSwGIMvhqUYlmMIxLgS42qMoRjXYlyPMRLjRoybMcZi3IpxO0Yphp0YdmNIxrAXw34M6RgOYjiMIRvDUQzHMeRjPInxNMZijGcxnsdYjvEixssYqzFexXgdYz2GmxhuY5BjuIvhPoZWDA8xPMagxPAUw3MM3RhfYnyN8S3G9xg/YvyM8SvG7xh/YvyN8S/2DyiOnjh64xDi6IujPw4xjoE4BuPQxTEUx3AchjhH4hyN0xTnWJzjcVrinIhzMk5bnFNxTsfpiGMmjtk4XHHMxTEfhyeOhTgW4/DFsRTHchyBOFfiXI0zFOdanOtxRuLciHMzzlicW3FuxynFsRPHbhzJOPbi2I8jHcdBHIdxZOM4iuM4jnycJ3GexlmM8yzO8zjLcV7EeRlnNc6rOK/jrMdxE8dtHHIcd3Hcx9GK4yGOxziUOJ7ieI6jG+dLnK9xvsX5HudHnJ9xfsX5HedPnL9x/sX/AUnokdArQZDQJ6FfgihhQMKgBJ2EIQnDEgwSRySOSjRJHJM4LtEicULipESbxCmJ0xIdEmYkzEpwSZiTMC/BI2FBwqIEn4QlCcsSAhJXJK5KDElck7guMSJxQ+KmxJjELYnbEiUJOxJ2JSQl7EnYl5CWcCDhUEJWwpGEYwl5iScSTyUWJZ5JPJdYlngh8VJiVeKVxGuJdQk3Em4lyBLuJNxLaEl4kPAoQZHwJOFZQlfii8RXiW8S3yV+SPyU+CXxW+KPxF+Jf9I/oAR6EuhNQEigL4H+BMQEBhIYTECXwFACwwkYEhxJcDRBU4JjCY4naElwIsHJBG0JTiU4naAjgZkEZhNwJTCXwHwCngQWElhMwJfAUgLLCQQSXElwNcFQgmsJricYSXAjwc0EYwluJbidoJTATgK7CSQT2EtgP4F0AgcJHCaQTeAogeME8gmeJHiaYDHBswTPEywneJHgZYLVBK8SvE6wnsBNArcJyAncJXCfQCuBhwQeE1ASeErgOYFugi8Jvib4luB7gh8Jfib4leB3gj8J/ib4l/gHlERPEr1JCEn0JdGfhJjEQBKDSeiSGEpiOAlDkiNJjiZpSnIsyfEkLUlOJDmZpC3JqSSnk3QkMZPEbBKuJOaSmE/Ck8RCEotJ+JJYSmI5iUCSK0muJhlKci3J9SQjSW4kuZlkLMmtJLeTlJLYSWI3iWQSe0nsJ5FO4iCJwySySRwlcZxEPsmTJE+TLCZ5luR5kuUkL5K8TLKa5FWS10nWk7hJ4jYJOYm7JO6TaCXxkMRjEkoST0k8J9FN8iXJ1yTfknxP8iPJzyS/kvxO8ifJ3yT/kv+AUuhJoTcFIYW+FPpTEFMYSGEwBV0KQykMp2BIcSTF0RRNKY6lOJ6iJcWJFCdTtKU4leJ0io4UZlKYTcGVwlwK8yl4UlhIYTEFXwpLKSynEEhxJcXVFEMprqW4nmIkxY0UN1OMpbiV4naKUgo7KeymkExhL4X9FNIpHKRwmEI2haMUjlPIp3iS4mmKxRTPUjxPsZziRYqXKVZTvErxOsV6Cjcp3KYgp3CXwn0KrRQeUnhMQUnhKYXnFLopvqT4muJbiu8pfqT4meJXit8p/qT4m+Jf6h9Qmj1p9qYppNmXZn+aYpoDaQ6mqUtzKM3hNA1pjKQxmoYpjbE0xtOwpDGRxmQatjSm0phOw5HmTJqzabrSnEtzPk1PmgtpLqbpS3MpzeU0A2mspLGaRiiNtTTW04iksZHGZhqxNLbS2E5DSnMnzd00k2nupbmfZjrNgzQP08ymeZTmcZr5NE7SOE2jmMZZGudplNO4SOMyjWoaV2lcp1FP8ybN2zTlNO/SvE+zleZDmo9pKmk+pfmcZjeNlzRe03hL4z2NjzQ+0/hK4zuNnzR+0/hL/8tqhj0Z9mYoZNiXYX+GYoYDGQ5mqMtwKMPhDA0ZjGQwmoEpg7EMxjOwZDCRwWQGtgymMpjOwJHhTIazGboynMtwPkNPhgsZLmboy3Apw+UMAxmsZLCaQSiDtQzWM4hksJHBZgaxDLYy2M5AynAnw90MkxnuZbifYTrDgwwPM8xmeJThcYb5DE4yOM2gmMFZBucZlDO4yOAyg2oGVxlcZ1DP8CbD2wzlDO8yvM+wleFDho8ZKhk+ZficYTeDlwxeM3jL4D2Djww+M/jK4DuDnwx+M/jL/APKsifL3iyFLPuy7M9SzHIgy8EsdVkOZTmcpSGLkSxGszBlMZbFeBaWLCaymMzClsVUFtNZOLKcyXI2S1eWc1nOZ+nJciHLxSx9WS5luZxlIIuVLFazCGWxlsV6FpEsNrLYzCKWxVYW21lIWe5kuZtlMsu9LPezTGd5kOVhltksj7I8zjKfxUkWp1kUszjL4jyLchYXWVxmUc3iKovrLOpZ3mR5m6Wc5V2W91m2snzI8jFLJcunLJ+z7GbxksVrFm9ZvGfxkcVnFl9ZfGfxk8VvFn/Zf0A59uTYm6OQY1+O/TmKOQ7kOJijLsehHIdzNOQwksNoDqYcxnIYz8GSw0QOkznYcpjKYToHR44zOc7m6MpxLsf5HD05LuS4mKMvx6Ucl3MM5LCSw2oOoRzWcljPIZLDRg6bOcRy2MphOwcpx50cd3NM5riX436O6RwPcjzMMZvjUY7HOeZzOMnhNIdiDmc5nOdQzuEih8scqjlc5XCdQz3Hmxxvc5RzvMvxPsdWjg85Puao5PiU43OO3RxecnjN4S2H9xw+cvjM4SuH7xx+cvjN4S/3DyjPnjx78xTy7MuzP08xz4E8B/PU5TmU53CehjxG8hjNw5THWB7jeVjymMhjMg9bHlN5TOfhyHMmz9k8XXnO5TmfpyfPhTwX8/TluZTncp6BPFbyWM0jlMdaHut5RPLYyGMzj1geW3ls5yHluZPnbp7JPPfy3M8znedBnod5ZvM8yvM4z3weJ3mc5lHM4yyP8zzKeVzkcZlHNY+rPK7zqOd5k+dtnnKed3ne59nK8yHPxzyVPJ/yfM6zm8dLHq95vOXxnsdHHp95fOXxncdPHr95/OX/ARXYU2BvgUKBfQX2FygWOFDgYIG6AocKHC7QUMBIAaMFmAoYK2C8AEsBEwVMFmArYKqA6QIcBc4UOFugq8C5AucL9BS4UOBigb4ClwpcLjBQwEoBqwWEClgrYL2ASAEbBWwWECtgq4DtAqQCdwrcLTBZ4F6B+wWmCzwo8LDAbIFHBR4XmC/gpIDTAooFnBVwXkC5gIsCLguoFnBVwHUB9QJvCrwtUC7wrsD7AlsFPhT4WKBS4FOBzwV2C3gp4LWAtwLeC/go4LOArwK+C/gp4LeAv8I/oCJ7iuwtUiiyr8j+IsUiB4ocLFJX5FCRw0UaihgpYrQIUxFjRYwXYSlioojJImxFTBUxXYSjyJkiZ4t0FTlX5HyRniIXilws0lfkUpHLRQaKWClitYhQEWtFrBcRKWKjiM0iYkVsFbFdhFTkTpG7RSaL3Ctyv8h0kQdFHhaZLfKoyOMi80WcFHFaRLGIsyLOiygXcVHEZRHVIq6KuC6iXuRNkbdFykXeFXlfZKvIhyIfi1SKfCryuchuES9FvBbxVsR7ER9FfBbxVcR3ET9F/BbxV/wHVGJPib0lCiX2ldhfoljiQImDJepKHCpxuERDCSMljJZgKmGshPESLCVMlDBZgq2EqRKmS3CUOFPibImuEudKnC/RU+JCiYsl+kpcKnG5xEAJKyWslhAqYa2E9RIiJWyUsFlCrIStErZLkErcKXG3xGSJeyXul5gu8aDEwxKzJR6VeFxivoSTEk5LKJZwVsJ5CeUSLkq4LKFawlUJ1yXUS7wp8bZEucS7Eu9LbJX4UOJjiUqJTyU+l9gt4aWE1xLeSngv4aOEzxK+Svgu4aeE3xL+Sv+Ayuwps7dMocy+MvvLFMscKHOwTF2ZQ2UOl2koY6SM0TJMZYyVMV6GpYyJMibLsJUxVcZ0GY4yZ8qcLdNV5lyZ82V6ylwoc7FMX5lLZS6XGShjpYzVMkJlrJWxXkakjI0yNsuIlbFVxnYZUpk7Ze6WmSxzr8z9MtNlHpR5WGa2zKMyj8vMl3FSxmkZxTLOyjgvo1zGRRmXZVTLuCrjuox6mTdl3pYpl3lX5n2ZrTIfynwsUynzqcznMrtlvJTxWsZbGe9lfJTxWcZXGd9l/JTxW8Zf+R9QhT0V9lYoVNhXYX+FYoUDFQ5WqKtwqMLhCg0VjFQwWoGpgrEKxiuwVDBRwWQFtgqmKpiuwFHhTIWzFboqnKtwvkJPhQsVLlboq3CpwuUKAxWsVLBaQaiCtQrWK4hUsFHBZgWxCrYq2K5AqnCnwt0KkxXuVbhfYbrCgwoPK8xWeFThcYX5Ck4qOK2gWMFZBecVlCu4qOCygmoFVxVcV1Cv8KbC2wrlCu8qvK+wVeFDhY8VKhU+VfhcYbeClwpeK3ir4L2Cjwo+K/iq4LuCnwp+K/ir/AOqsqfK3iqFKvuq7K9SrHKgysEqdVUOVTlcpaGKkSpGqzBVMVbFeBWWKiaqmKzCVsVUFdNVOKqcqXK2SleVc1XOV+mpcqHKxSp9VS5VuVxloIqVKlarCFWxVsV6FZEqNqrYrCJWxVYV21VIVe5UuVtlssq9KverTFd5UOVhldkqj6o8rjJfxUkVp1UUqzir4ryKchUXVVxWUa3iqorrKupV3lR5W6Vc5V2V91W2qnyo8rFKpcqnKp+r7FbxUsVrFW9VvFfxUcVnFV9VfFfxU8VvFX/Vf0A19tTYW6NQY1+N/TWKNQ7UOFijrsahGodrNNQwUsNoDaYaxmoYr8FSw0QNkzXYapiqYboGR40zNc7W6Kpxrsb5Gj01LtS4WKOvxqUal2sM1LBSw2oNoRrWalivIVLDRg2bNcRq2Kphuwapxp0ad2tM1rhX436N6RoPajysMVvjUY3HNeZrOKnhtIZiDWc1nNdQruGihssaqjVc1XBdQ73Gmxpva5RrvKvxvsZWjQ81Ptao1PhU43ON3Rpeanit4a2G9xo+avis4auG7xp+avit4a/2D6iOnjp66xDq6Kujvw6xjoE6BuvQ1TFUx3AdhjpH6hyt01TnWJ3jdVrqnKhzsk5bnVN1TtfpqGOmjtk6XHXM1TFfh6eOhToW6/DVsVTHch2BOlfqXK0zVOdanet1RurcqHOzzlidW3Vu1ynVsVPHbh3JOvbq2K8jXcdBHYd1ZOs4quO4jnydJ3We1lms86zO8zrLdV7UeVlntc6rOq/rrNdxU8dtHXIdd3Xc19Gq46GOxzqUOp7qeK6jW+dLna91vtX5XudHnZ91ftX5XedPnb91/tX/ZbWBngZ6GxAa6GugvwGxgYEGBhvQNTDUwHADhgZHGhxt0NTgWIPjDVoanGhwskFbg1MNTjfoaGCmgdkGXA3MNTDfgKeBhQYWG/A1sNTAcgOBBlcaXG0w1OBag+sNRhrcaHCzwViDWw1uNyg1sNPAbgPJBvYa2G8g3cBBA4cNZBs4auC4gXyDJw2eNlhs8KzB8wbLDV40eNlgtcGrBq8brDdw08BtA3IDdw3cN9Bq4KGBxwaUBp4aeG6g2+BLg68NvjX43uBHg58NfjX43eBPg78N/jX+AcnokdErQ5DRJ6NfhihjQMagDJ2MIRnDMgwyR2SOyjTJHJM5LtMic0LmpEybzCmZ0zIdMmZkzMpwyZiTMS/DI2NBxqIMn4wlGcsyAjJXZK7KDMlck7kuMyJzQ+amzJjMLZnbMiUZOzJ2ZSRl7MnYl5GWcSDjUEZWxpGMYxl5mScyT2UWZZ7JPJdZlnkh81JmVeaVzGuZdRk3Mm5lyDLuZNzLaMl4kPEoQ5HxJONZRlfmi8xXmW8y32V+yPyU+SXzW+aPzF+Zf/I/oCZ6muhtQmiir4n+JsQmBpoYbELXxFATw00YmhxpcrRJU5NjTY43aWlyosnJJm1NTjU53aSjiZkmZptwNTHXxHwTniYWmlhswtfEUhPLTQSaXGlytclQk2tNrjcZaXKjyc0mY01uNbndpNTEThO7TSSb2Gtiv4l0EwdNHDaRbeKoieMm8k2eNHnaZLHJsybPmyw3edHkZZPVJq+avG6y3sRNE7dNyE3cNXHfRKuJhyYem1CaeGriuYluky9Nvjb51uR7kx9Nfjb51eR3kz9N/jb51/wH1EJPC70tCC30tdDfgtjCQAuDLehaGGphuAVDiyMtjrZoanGsxfEWLS1OtDjZoq3FqRanW3S0MNPCbAuuFuZamG/B08JCC4st+FpYamG5hUCLKy2uthhqca3F9RYjLW60uNlirMWtFrdblFrYaWG3hWQLey3st5Bu4aCFwxayLRy1cNxCvsWTFk9bLLZ41uJ5i+UWL1q8bLHa4lWL1y3WW7hp4bYFuYW7Fu5baLXw0MJjC0oLTy08t9Bt8aXF1xbfWnxv8aPFzxa/Wvxu8afF3xb/Wv+A2uhpo7cNoY2+NvrbENsYaGOwDV0bQ20Mt2Foc6TN0TZNbY61Od6mpc2JNifbtLU51eZ0m442ZtqYbcPVxlwb82142lhoY7ENXxtLbSy3EWhzpc3VNkNtrrW53makzY02N9uMtbnV5nabUhs7bey2kWxjr439NtJtHLRx2Ea2jaM2jtvIt3nS5mmbxTbP2jxvs9zmRZuXbVbbvGrzus16Gzdt3LYht3HXxn0brTYe2nhsQ2njqY3nNrptvrT52uZbm+9tfrT52eZXm99t/rT52+Zf+x+Qgh4FvQoEBX0K+hWICgYUDCrQKRhSMKzAoHBE4ahCk8IxheMKLQonFE4qtCmcUjit0KFgRsGsApeCOQXzCjwKFhQsKvApWFKwrCCgcEXhqsKQwjWF6wojCjcUbiqMKdxSuK1QUrCjYFdBUsGegn0FaQUHCg4VZBUcKThWkFd4ovBUYVHhmcJzhWWFFwovFVYVXim8VlhXcKPgVoGs4E7BvYKWggcFjwoUBU8KnhV0Fb4ofFX4pvBd4YfCT4VfCr8V/ij8Vfin/APqoKeD3g6EDvo66O9A7GCgg8EOdB0MdTDcgaHDkQ5HOzR1ONbheIeWDic6nOzQ1uFUh9MdOjqY6WC2A1cHcx3Md+DpYKGDxQ58HSx1sNxBoMOVDlc7DHW41uF6h5EONzrc7DDW4VaH2x1KHex0sNtBsoO9DvY7SHdw0MFhB9kOjjo47iDf4UmHpx0WOzzr8LzDcocXHV52WO3wqsPrDusd3HRw24HcwV0H9x20Onjo4LEDpYOnDp476Hb40uFrh28dvnf40eFnh18dfnf40+Fvh3+df0Bd9HTR24XQRV8X/V2IXQx0MdiFrouhLoa7MHQ50uVol6Yux7oc79LS5USXk13aupzqcrpLRxczXcx24epirov5LjxdLHSx2IWvi6UulrsIdLnS5WqXoS7XulzvMtLlRpebXca63Opyu0upi50udrtIdrHXxX4X6S4OujjsItvFURfHXeS7POnytMtil2ddnndZ7vKiy8suq11edXndZb2Lmy5uu5C7uOvivotWFw9dPHahdPHUxXMX3S5funzt8q3L9y4/uvzs8qvL7y5/uvzt8q/7D+g/9PyH3v8g/Ie+/9D/H8T/G67DjzDgIAzAjBljRiQiEYlIRCJvIhKRiEQiEpGIRCRiYiQiEYleiUgkIhGJSERiJGLyi5OLk4uT68P2LzzfnoKKgsqCqoLqgpqC2sK6wvrChsLGwqbC5sKWwtbCtsL2wo7CzoKugu6CnoLegr6C/oKBgsGCoYLhgpGC0cKxwvHCicLJwqnC6cKZwtnCucL5woXCxYJfBUsFvwuWC1YKVgvWCtYLNgo2C7YKtgt3CncL9wr3Cw8KDwuPCo8LTwpPC88KzwsuCi4LrgquC24KbgvuCv4U3Bc8FDwW/C18KnwulMKXwtdCK3wrfC+Mwo/Cz/IfSPBF8FXwTfBd8EPwU1AhqBRUCaoFNYJaYZ2wXtggbBQ2CZuFLcJWYZuwXdgh7BR0CboFPYJeQZ+gXzAgGBQMCYYFI4JR4ZhwXDghnBROCaeFM8JZ4ZxwXrggXBT8EiwJfguWBSuCVcGaYF2wIdgUbAm2hTvCXeGecF94IDwUHgmPhSfCU+GZ8FxwIbgUXAmuBTeCW8Gd4I/gXvAgeBT8FT4Jn4UifBG+Ck34JnwXhvBD+Cn/gRRfFF8V3xTfFT8UPxUVikpFlaJaUaOoVdYp65UNykZlk7JZ2aJsVbYp25Udyk5Fl6Jb0aPoVfQp+hUDikHFkGJYMaIYVY4px5UTyknllHJaOaOcVc4p55ULykXFL8WS4rdiWbGiWFWsKdYVG4pNxZZiW7mj3FXuKfeVB8pD5ZHyWHmiPFWeKc8VF4pLxZXiWnGjuFXcKf4o7hUPikfFX+WT8lkpyhflq9KUb8p3ZSg/lJ/6H8j4xfjV+M343fjD+NNYYaw0VhmrjTXGWkOdod7QYGg0NBmaDS2GVkObod3QYeg0dhm7jT3GXmOfsd84YBw0DhmHjSPGUcOYYdwwYZg0TBmmDTOGWcOcYd6wYFg0/jIuGX8bl40rxlXjmnHduGHcNG4Ztw07hl3DnmHfcGA4NBwZjg0nhlPDmeHceGG8NF4Zr403xlvjnfGP8d74YHw0/jU8GZ4NYngxvBrM8GZ4N4Thw/Bp/7Pq/OL86vzm/O784fzprHBWOquc1c4aZ62jzlHvaHA0OpoczY4WR6ujzdHu6HB0Oruc3c4eZ6+zz9nvHHAOOoecw84R56hjzDHumHBMOqYc044Zx6xjzjHvWHAsOn85l5y/ncvOFeeqc8257txwbjq3nNuOHceuY8+x7zhwHDqOHMeOE8ep48xx7rxwXjqvnNfOG+et8875x3nvfHA+Ov86nhzPDnG8OF4d5nhzvDvC8eH49P9AwS/Br8Fvwe/BH8GfwYpgZbAqWB2sCdYG6gL1gYZAY6Ap0BxoCbQG2gLtgY5AZ7Ar2B3sCfYG+4L9wYHgYHAoOBwcCY4GxgLjgYnAZGAqMB2YCcwG5gLzgYXAYvBXcCn4O7gcXAmuBteC68GN4GZwK7gd2AnsBvYC+4GDwGHgKHAcOAmcBs4C58GL4GXwKngdvAneBu+Cf4L3wYfgY/Bv4CnwHJDAS+A1YIG3wHsgAh+Bz/gPlPyS/Jr8lvye/JH8maxIViarktXJmmRtoi5Rn2hINCaaEs2JlkRroi3RnuhIdCa7kt3JnmRvsi/ZnxxIDiaHksPJkeRoYiwxnphITCamEtOJmcRsYi4xn1hILCZ/JZeSv5PLyZXkanItuZ7cSG4mt5LbiZ3EbmIvsZ84SBwmjhLHiZPEaeIscZ68SF4mr5LXyZvkbfIu+Sd5n3xIPib/Jp4SzwlJvCReE5Z4S7wnIvGR+Ez8A1yo0tD31S8kAAAAAElFTkSuQmCC',
};

/** @param {string} id @param {string} text @returns {EntryView} */
export function userMessage(id, text) {
  return { kind: 'userMessage', id, content: [{ type: 'text', text }], dropped: false };
}

/** @param {string} id @param {string} text @param {boolean} [streaming] @returns {EntryView} */
export function agentMessage(id, text, streaming = false) {
  return { kind: 'agentMessage', id, content: [{ type: 'text', text }], streaming };
}

/** @param {string} id @param {Partial<ToolCallView>} [fields] @returns {ToolCallView} */
export function toolCall(id, fields = {}) {
  return {
    kind: 'toolCall',
    id,
    title: 'Read tokenizer.ts',
    toolKind: 'read',
    status: 'completed',
    locations: [],
    content: [],
    permissions: [],
    startedAt: 1000,
    durationMs: 400,
    ...fields,
  };
}

/**
 * A permission request that asks for what its call says, as one that says the same does.
 * @param {string} requestId
 * @param {string} title
 * @param {import('../../src/protocol/permissionView').PermissionView['options']} options
 * @param {Partial<ToolCallView>} [call]
 * @param {Partial<import('../../src/protocol/permissionView').PermissionView>} [fields]
 * @returns {import('../../src/protocol/permissionView').PermissionView}
 */
export function asked(requestId, title, options, call = {}, fields = {}) {
  const { command, cwd, input, content = [], locations = [] } = call;
  return {
    requestId,
    title,
    options,
    content,
    locations,
    ...(command === undefined ? {} : { command }),
    ...(cwd === undefined ? {} : { cwd }),
    ...(input === undefined ? {} : { input }),
    ...fields,
  };
}

/**
 * A form that waits.
 * @param {string} id
 * @param {FormFieldView[]} fields
 * @param {Partial<ElicitationView>} [view]
 * @returns {ElicitationView}
 */
export function form(id, fields, view = {}) {
  return {
    kind: 'elicitation',
    id,
    requestId: `r-${id}`,
    title: 'A few details',
    body: { type: 'form', fields, canSubmit: true },
    state: 'waiting',
    answers: [],
    ...view,
  };
}

/**
 * A page that waits for consent.
 * @param {string} id
 * @param {Partial<ElicitationView>} [view]
 * @returns {ElicitationView}
 */
export function page(id, view = {}) {
  const body = {
    type: /** @type {const} */ ('page'),
    url: 'https://example.com/device?code=AB12-CD34&state=0f8d1c',
    host: 'example.com',
    warnings: [],
  };
  return {
    kind: 'elicitation',
    id,
    requestId: `r-${id}`,
    title: 'Sign in to go on',
    body,
    state: 'waiting',
    answers: [],
    ...view,
  };
}

/** @param {Partial<DiffView>} [fields] @returns {DiffView} */
export function diff(fields = {}) {
  return {
    type: 'diff',
    path: '/work/src/tokenizer.ts',
    label: 'src/tokenizer.ts',
    isNew: false,
    added: 3,
    removed: 1,
    hunks: [
      {
        oldStart: 21,
        newStart: 21,
        lines: [
          '   const [head, rest] = next(text);',
          '-  return [head, ...tokenize(rest)];',
          '+  while (rest) {',
          '+    stack.push(next(rest));',
          '+  }',
        ],
      },
    ],
    truncated: false,
    ...fields,
  };
}

/** @param {string} terminalId @param {Partial<TerminalView>} [fields] @returns {TerminalView} */
export function terminal(terminalId, fields = {}) {
  return {
    terminalId,
    command: 'npm test -- tokenizer',
    firstRow: 0,
    rows: [
      [{ text: '$ npm test -- tokenizer', classes: 'dim' }],
      [{ text: '✓', classes: 'fg-2' }, { text: ' nested quotes (2 ms)' }],
      [{ text: '✓', classes: 'fg-2' }, { text: ' empty input (0 ms)' }],
      [],
      [
        { text: '12 passed', classes: 'b fg-10' },
        { text: ' in 0.8 s', classes: 'dim' },
      ],
    ],
    running: false,
    exitCode: 0,
    durationMs: 3400,
    canOpen: true,
    ...fields,
  };
}

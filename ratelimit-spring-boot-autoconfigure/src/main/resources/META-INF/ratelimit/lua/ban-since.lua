-- Tells how far the bans have come, so that an instance knows whether to read them.
-- Reply the time; the newest number; the random number of these data
return { unix, tonumber(call('HGET', KEYS[4], 'number') or 0), tonumber(call('HGET', KEYS[4], 'data') or 0) }

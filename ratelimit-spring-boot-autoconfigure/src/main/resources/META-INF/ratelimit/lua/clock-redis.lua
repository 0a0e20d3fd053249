-- The server's clock, in ms since 2025: one clock for all instances.
local time = call('TIME')
local now = (time[1] - 1735689600) * 1000 + math.floor(time[2] / 1000)

-- The clock of the instance, in ms since 2025: the last argument.
local now = tonumber(ARGV[#ARGV])

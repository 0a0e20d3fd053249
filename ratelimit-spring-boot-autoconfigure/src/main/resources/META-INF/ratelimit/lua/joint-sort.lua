-- The value of a joint key, where several limits of a rule and subject lie together: how many records; their tags, 3 bytes
-- each; their numbers. The tag of a record says how many numbers it has, and of which size. Behind these are the records
-- of limits that the last writer did not know, each with the second up to which it may matter: instances with other limits
-- of the rule keep their usage, and that of limits that are gone expires.
-- Puts a value into the order of a header, whatever limits its last writer had. Returns it; the records of other limits;
-- how long in ms these may matter.
local function sort(key, value, header)
	local records, ends, tags = {}, {}, {}
	local function read(tag, from)
		local kind = string.byte(tag)
		local to = from + kind % 4 * (6 + math.floor(kind / 4) % 2)
		records[tag], tags[#tags + 1] = string.sub(value, from, to - 1), tag
		return to
	end
	local from = 2 + 3 * string.byte(value)
	for at = 2, from - 1, 3 do
		from = read(string.sub(value, at, at + 2), from)
	end
	while from <= #value do
		local tag, last = struct.unpack('<c3I4', value, from)
		ends[tag], from = last * 1000, read(tag, from + 7)
	end

	local ordered = { header }
	for at = 2, #header, 3 do
		local tag = string.sub(header, at, at + 2)
		local kind = string.byte(tag)
		ordered[#ordered + 1] = records[tag] or string.rep('\0', kind % 4 * (6 + math.floor(kind / 4) % 2))
		records[tag] = ''
	end
	local others, longest = {}, 0
	for _, tag in ipairs(tags) do
		if string.find(records[tag], '[^%z]') then
			ends[tag] = ends[tag] or math.ceil((now + lifetime(key)) / 1000) * 1000
			if ends[tag] > now then
				-- A bucket may need centuries to fill; four bytes reach to 2106, and are set anew until then.
				others[#others + 1] = tag .. struct.pack('<I4', math.min(ends[tag] / 1000, 4294967295)) .. records[tag]
				longest = math.max(longest, ends[tag] - now)
			end
		end
	end
	return table.concat(ordered), table.concat(others), longest
end

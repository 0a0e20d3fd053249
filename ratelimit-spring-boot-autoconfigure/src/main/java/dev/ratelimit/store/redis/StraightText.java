package dev.ratelimit.store.redis;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/**
 * Writes the script for costs above 0 on one bucket or a few, without replay marker or
 * shadow, which most requests are. The algorithms' code stands in place, since a function
 * call is an eighth of what a decision costs Redis; each bucket's in a block within that
 * of the one before, so that all have been looked at before the first is taken from. For
 * one script.
 */
final class StraightText {

	private static final String ADMITTED = "if reply[2] == 1 then\n";

	private final StringBuilder looks = new StringBuilder();

	private final StringBuilder takes = new StringBuilder();

	private int keys;

	private int arguments;

	private int replied = 2;

	/**
	 * The text for some keys. Arguments are for each its cost and the algorithm's own;
	 * for a joint key first its header, then the cost, and the own of all limits in one.
	 * @param layouts the keys in their order
	 * @return the text behind what all scripts begin with
	 */
	static String of(List<StraightLayout> layouts) {
		StraightText text = new StraightText();
		layouts.forEach((layout) -> text.add(layout));
		// A table of the right size from the start.
		return "local reply = { now, 1" + ", 0".repeat(text.replied - 2) + " }\n" + text.looks + text.takes
				+ "return reply\n";
	}

	private void add(StraightLayout layout) {
		this.looks.append("do\nlocal key = KEYS[").append(++this.keys).append("]\n");
		if (layout.format().isEmpty()) {
			addBucket(LuaFragment.of(layout.algorithms().get(0)));
		}
		else {
			addJoint(layout);
		}
	}

	private void addBucket(LuaFragment fragment) {
		this.looks.append("local cost = tonumber(").append(argument()).append(")\n");
		this.looks.append(fragment.readArguments(argument()));
		if (fragment.hasState()) {
			this.looks.append("local ").append(fragment.joinedState()).append('\n').append(fragment.readKey());
			this.looks.append(fragment.cut(fragment.writeKey()));
		}
		addLook(fragment);
		this.takes.insert(0, ADMITTED
				+ ((fragment.hasState()) ? "local ttl\n" + fragment.take() + fragment.writeKey() : fragment.take())
				+ "end\nend\n");
	}

	private void addJoint(StraightLayout layout) {
		List<LuaFragment> fragments = layout.algorithms().stream().map(LuaFragment::of).toList();
		List<String> numbers = numbered("n", fragments.stream().mapToInt((one) -> one.state().size()).sum());
		List<String> own = numbered("a", fragments.stream().mapToInt((one) -> one.arguments().size()).sum());
		this.looks.append("local header, cost = ").append(argument()).append(", tonumber(");
		this.looks.append(argument()).append(")\n").append(layout.read(numbers));
		this.looks.append("local ").append(String.join(", ", own)).append(" = struct.unpack('<");
		this.looks.append("d".repeat(own.size())).append("', ").append(argument()).append(")\n");
		String write = layout.write(numbers);
		this.takes.insert(0, ADMITTED + write + "end\nend\n");
		for (LuaFragment fragment : fragments) {
			List<String> state = split(numbers, fragment.state().size());
			addMember(fragment, state, split(own, fragment.arguments().size()), write);
		}
	}

	private void addMember(LuaFragment fragment, List<String> numbers, List<String> own, String write) {
		this.looks.append("do\nlocal ").append(String.join(", ", fragment.arguments()));
		this.looks.append(" = ").append(String.join(", ", own));
		this.looks.append("\nlocal ").append(fragment.joinedState());
		this.looks.append(" = ").append(String.join(", ", numbers)).append('\n');
		// The other limits of the key need it for as long as they did.
		this.looks.append(fragment.cut(String.join(", ", numbers) + " = " + fragment.joinedState()
				+ "\nlocal longest = math.max(longest, ttl, call('PTTL', key))\n" + write));
		addLook(fragment);
		this.takes.insert(0, ADMITTED + "local ttl\n" + fragment.take() + String.join(", ", numbers) + " = "
				+ fragment.joinedState() + "\nif ttl > longest then\nlongest = ttl\nend\nend\nend\n");
	}

	private void addLook(LuaFragment fragment) {
		this.looks.append(fragment.look());
		for (String seen : fragment.reply()) {
			this.looks.append("reply[").append(++this.replied).append("] = ").append(seen).append('\n');
		}
		this.looks.append("if not fits then\nreply[2] = 0\nend\n");
	}

	private String argument() {
		return "ARGV[" + ++this.arguments + "]";
	}

	private static List<String> numbered(String name, int count) {
		List<String> names = new ArrayList<>(Collections.nCopies(count, name));
		for (int i = 0; i < count; i++) {
			names.set(i, name + (i + 1));
		}
		return names;
	}

	// The first of the names, which are then no longer there.
	private static List<String> split(List<String> names, int count) {
		List<String> first = names.subList(0, count);
		List<String> copy = List.copyOf(first);
		first.clear();
		return copy;
	}

}

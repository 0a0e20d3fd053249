package dev.ratelimit.store.redis;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class BatchScriptsTests {

	private static final int KINDS = 62;

	private final BatchScripts scripts = new BatchScripts(RedisClock.SERVER);

	private final List<LuaScript> kinds = kinds();

	private static List<LuaScript> kinds() {
		List<LuaScript> kinds = new ArrayList<>();
		List<List<StraightLayout>> longest = List.of(List.of());
		while (kinds.size() < KINDS) {
			List<List<StraightLayout>> longer = new ArrayList<>();
			for (List<StraightLayout> sequence : longest) {
				for (String algorithm : List.of("gcra", "token-bucket")) {
					List<StraightLayout> next = new ArrayList<>(sequence);
					next.add(StraightLayout.of(algorithm));
					longer.add(next);
					kinds.add(LuaScript.fewBuckets(RedisClock.SERVER, next));
				}
			}
			longest = longer;
		}
		return kinds;
	}

	@Test
	void manyKindsOfCallsMakeFewScripts() {
		Set<LuaScript> made = new HashSet<>();
		int joined = 0;
		for (int i = 0; i < 4000; i++) {
			LuaScript first = this.kinds.get(i % KINDS);
			LuaScript second = this.kinds.get((i * 7 + 1) % KINDS);
			if (this.scripts.mayJoin(first, second)) {
				made.add(this.scripts.join(List.of(call(first), call(second))).script());
				joined++;
			}
		}
		assertThat(made).hasSizeLessThan(100);
		assertThat(joined).isGreaterThan(500);
	}

	// Redis before 7.4 never forgets a script.
	@Test
	void theOrderInWhichCallsArriveMakesNoOtherScript() {
		LuaScript first = join(this.scripts, 0, 1, 2);
		LuaScript second = join(new BatchScripts(RedisClock.SERVER), 2, 1, 0);
		assertThat(second.byText()).isEqualTo(first.byText());
	}

	private LuaScript join(BatchScripts batches, int... kinds) {
		List<ScriptCall> calls = new ArrayList<>();
		for (int kind : kinds) {
			calls.add(call(this.kinds.get(kind)));
			assertThat(batches.mayJoin(calls.get(0).script(), calls.get(calls.size() - 1).script())).isTrue();
		}
		return batches.join(calls).script();
	}

	private static ScriptCall call(LuaScript script) {
		return new ScriptCall(script, new byte[0][], new byte[0][], 0);
	}

}

package dev.ratelimit.web;

import java.util.List;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class MappingOrderTests {

	@Test
	void mappingsBeforeHandlerMethodsAreBefore() {
		MappingOrder<Object, Integer> order = order("router", 1, 2, "resources");
		assertThat(order.before()).containsExactly("router");
		assertThat(order.called()).containsExactly("router", 1, 2);
		assertThat(order.methods()).containsExactly(1, 2);
	}

	@Test
	void oneMappingToHandlerMethodsIsNotMixed() {
		assertThat(order("router", 1, "resources").mixed()).isFalse();
	}

	@Test
	void mappingsToHandlerMethodsAreMixedAlthoughTheyAreAdjacent() {
		assertThat(order(1, 2).mixed()).isTrue();
	}

	@Test
	void mappingBetweenHandlerMethodsIsMixed() {
		MappingOrder<Object, Integer> order = order(1, "simple", 2);
		assertThat(order.before()).isEmpty();
		assertThat(order.called()).containsExactly(1, "simple", 2);
		assertThat(order.mixed()).isTrue();
	}

	@Test
	void ignoredMappingsAreNotCalled() {
		MappingOrder<Object, Integer> order = order("silent", 1, "silent", 2, "silent");
		assertThat(order.before()).isEmpty();
		assertThat(order.called()).containsExactly(1, 2);
	}

	@Test
	void withoutHandlerMethodsNoMappingIsCalled() {
		MappingOrder<Object, Integer> order = order("router", "resources");
		assertThat(order.called()).isEmpty();
		assertThat(order.before()).isEmpty();
		assertThat(order.mixed()).isFalse();
	}

	private static MappingOrder<Object, Integer> order(Object... mappings) {
		return MappingOrder.of(List.of(mappings), Integer.class, Long.class, "silent"::equals);
	}

}

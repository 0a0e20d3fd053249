package dev.ratelimit.live;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

class JsonTests {

	@Test
	void writtenContentIsReadBack() {
		Map<String, Object> value = new LinkedHashMap<>();
		value.put("search", Map.of("limit", "100/min", "paths", List.of("/a", "/b\u2028\"\\\n\u0001")));
		value.put("empty", Map.of());
		value.put("none", List.of());
		assertThat(Json.readObject(Json.write(value))).isEqualTo(value);
	}

	@Property(tries = 300)
	void anyTextIsReadAgain(@ForAll String key, @ForAll List<String> texts) {
		Map<String, Object> value = Map.of(key, texts);
		assertThat(Json.readObject(Json.write(value))).isEqualTo(value);
	}

	@Test
	void numbersAndBooleansAreTexts() {
		assertThat(Json.write(Map.of("a", List.of(1, true)))).isEqualTo("{\"a\":[1,true]}");
		assertThat(Json.readObject(" {\"a\" : [ 1 , true, -2.5e3,null ] } "))
			.isEqualTo(Map.of("a", List.of("1", "true", "-2.5e3", "null")));
		assertThat(Json.readObject("{\"a\":\"\\u00e9\\/\\t\"}")).isEqualTo(Map.of("a", "é/\t"));
	}

	@ParameterizedTest
	@ValueSource(strings = { "", "[]", "{", "{\"a\"}", "{\"a\":1,}", "{\"a\":[1,]}", "{\"a\":01}", "{\"a\":1} x",
			"{a:1}", "{\"a\":\"\\x\"}", "{\"a\":\"\\u12\"}", "{\"a\":\"\n\"}", "{\"a\":tru}", "{\"a\":}", "{'a':1}",
			"{\"a\":1 \"b\":2}", "{\"a\":\"" })
	void invalidJsonIsRejected(String text) {
		assertThatIllegalArgumentException().isThrownBy(() -> Json.readObject(text));
	}

	@Test
	void aKeyThatIsThereTwiceIsRejected() {
		assertThatIllegalArgumentException().isThrownBy(() -> Json.readObject("{\"a\":1,\"a\":2}"))
			.withMessage("'a' is there twice");
	}

	@Test
	void deepNestingIsRejected() {
		String deep = "{\"a\":" + "[".repeat(100_000);
		assertThatIllegalArgumentException().isThrownBy(() -> Json.readObject(deep))
			.withMessage("it is nested too deeply");
	}

}

package dev.ratelimit.web;

import java.time.Duration;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;

class QueryParameterTests {

	@ParameterizedTest
	@CsvSource({ "q=1, 1", "a=0&q=1&q=2, 1", "%71=1, 1", "q=a+b, a b", "q=a%20b, a b", "q=a%2Bb, a+b", "q=a=b=c, a=b=c",
			"q, ''", "q=, ''", "&&q=1, 1", "q=caf%C3%A9, caf\u00e9", "q=%26x, &x" })
	void firstParameterOfTheNameIsDecoded(String query, String value) {
		assertThat(QueryParameter.first(query, "q")).hasValue(value);
	}

	// Clients choose the query, and Spring reads all parameters for some handlers.
	@Test
	void aLongQueryIsReadOnce() {
		String query = IntStream.range(0, 50_000)
			.mapToObj((i) -> "p" + i + "=" + i + "&p" + i)
			.collect(Collectors.joining("&"));
		long before = System.nanoTime();
		Map<String, String[]> parameters = QueryParameter.map(query);
		assertThat(Duration.ofNanos(System.nanoTime() - before)).isLessThan(Duration.ofSeconds(20));
		assertThat(parameters).hasSize(50_000);
		assertThat(parameters.get("p7")).containsExactly("7", "");
	}

	@ParameterizedTest
	@CsvSource({ "q=%, %", "q=%z1, %z1", "q=a%2, a%2", "q=%zz+b, %zz+b" })
	void brokenEncodingIsAValueLikeAnyOther(String query, String value) {
		assertThat(QueryParameter.first(query, "q")).hasValue(value);
	}

	@ParameterizedTest
	@ValueSource(strings = { "", "&", "Q=1", "qq=1", "a=q", "=q", "%zz=1", "a=1;q=2" })
	void otherParametersAreNotIt(String query) {
		assertThat(QueryParameter.first(query, "q")).isEmpty();
	}

	@ParameterizedTest
	@CsvSource({ "a b=1", "a+b=1", "a%20b=1" })
	void namesAreDecodedToo(String query) {
		assertThat(QueryParameter.first(query, "a b")).hasValue("1");
	}

	@ParameterizedTest
	@ValueSource(strings = { "size=1", "size[]=1", "%73ize%5b%5D=1", "!size=1", "Size=1", "!Size[]=1", "size[0]=1",
			"size%5B0%5D=1", "size[a]=1", "size[0][1]=1", "!Size[10]=1" })
	void otherSpellingsOfTheNameAreFoundToo(String query) {
		assertThat(QueryParameter.all(query, "size")).containsExactly("1");
		assertThat(QueryParameter.isElsewhere(query, "size")).isTrue();
	}

	@ParameterizedTest
	@ValueSource(strings = { "", "siz=1", "sizes=1", "SIZE=1", "sIze=1", "!!size=1", "[]size=1", "[0]=1", "_size=1",
			"size[0=1", "size0]=1", "size[0].x=1", "sizes[0]=1", "!=1", "[]=1", "![]=1" })
	void otherNamesAreNoSpellings(String query) {
		assertThat(QueryParameter.all(query, "size")).isEmpty();
		assertThat(QueryParameter.isElsewhere(query, "size")).isFalse();
	}

	@ParameterizedTest
	@CsvSource({ "k=&k=b, true", "k=&k[]=b, true", "k[]=&!k=c, true", "k=&k[]=, false", "k, false" })
	void aValueMayBeElsewhere(String query, boolean elsewhere) {
		assertThat(QueryParameter.isElsewhere(query, "k")).isEqualTo(elsewhere);
	}

}

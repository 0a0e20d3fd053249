package dev.ratelimit.benchmarks.report;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

class MarkedPageTests {

	private static final String PAGE = """
			Before.

			<!-- table:a -->

			| old |

			<!-- end:a -->

			Between.

			<!-- table:b -->
			<!-- end:b -->
			""";

	@Test
	void onlyTheBlockChanges() {
		MarkedPage page = new MarkedPage(PAGE).with("a", "| costs $1 |\n");
		assertThat(page.text()).isEqualTo(PAGE.replace("| old |", "| costs $1 |"));
		assertThat(page.with("a", "| costs $1 |")).isEqualTo(page);
	}

	@Test
	void emptyBlockIsFilled() {
		assertThat(new MarkedPage(PAGE).with("b", "x").text()).endsWith("<!-- table:b -->\n\nx\n\n<!-- end:b -->\n");
	}

	@Test
	void missingBlockIsNamed() {
		assertThatThrownBy(() -> new MarkedPage(PAGE).with("c", "x")).hasMessageContaining("<!-- table:c -->");
	}

}

package dev.ratelimit.benchmarks.openloop;

import java.io.ByteArrayInputStream;
import java.nio.charset.StandardCharsets;
import java.util.Collections;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;

import javax.xml.parsers.DocumentBuilderFactory;

import org.junit.jupiter.api.Test;
import org.w3c.dom.Document;

import static org.assertj.core.api.Assertions.assertThat;

class GoodputChartTests {

	@Test
	void hasAPanelForEachContestantAndABandForEachLevel() throws Exception {
		Plan plan = Plan.quick(4);
		Map<Level, List<Double>> curves = new EnumMap<>(Level.class);
		for (Level level : Level.values()) {
			curves.put(level, Collections.nCopies((int) (plan.nanos() / 1e9 / Figures.STEP), 0.25));
		}
		String svg = new GoodputChart(plan, Map.of("nothing", new Figures(Map.of(Measure.GOODPUT, 1.0), curves))).svg();
		Document document = DocumentBuilderFactory.newInstance()
			.newDocumentBuilder()
			.parse(new ByteArrayInputStream(svg.getBytes(StandardCharsets.UTF_8)));
		assertThat(document.getElementsByTagName("g").getLength()).isEqualTo(1);
		assertThat(svg).containsOnlyOnce("class=\"low\"/>\n<path d=\"M0 36.7H215\" class=\"capacity\"/>")
			.contains("prefers-color-scheme: dark", "nothing: 1.000.")
			// The four bands together reach the capacity.
			.contains("M0.0 36.7H");
	}

}

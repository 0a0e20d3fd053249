package dev.ratelimit.docs;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

import javax.tools.JavaCompiler;
import javax.tools.StandardJavaFileManager;
import javax.tools.ToolProvider;

import com.sun.source.doctree.DocCommentTree;
import com.sun.source.doctree.DocTree;
import com.sun.source.doctree.ParamTree;
import com.sun.source.tree.ClassTree;
import com.sun.source.tree.CompilationUnitTree;
import com.sun.source.util.DocTrees;
import com.sun.source.util.JavacTask;
import com.sun.source.util.TreePathScanner;
import org.jspecify.annotations.Nullable;

import org.springframework.util.StringUtils;

/**
 * Reads the descriptions of the components of a record from its source, because the
 * metadata of configuration properties omits properties below a map or a list.
 */
final class ComponentTexts {

	/** The key of the description of the record itself. */
	static final String TYPE = "";

	private ComponentTexts() {
	}

	/**
	 * Return the descriptions of the components of a record.
	 * @param type the record
	 * @return the descriptions in Markdown, by component
	 */
	static Map<String, String> of(Class<?> type) {
		Path source = Path.of("src", "main", "java",
				type.getName().replaceFirst("\\$.*", "").replace('.', '/') + ".java");
		JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
		try (StandardJavaFileManager files = compiler.getStandardFileManager(null, null, null)) {
			JavacTask task = (JavacTask) compiler.getTask(null, files, null, List.of("-proc:none"), null,
					files.getJavaFileObjects(source));
			Texts texts = new Texts(type.getSimpleName(), DocTrees.instance(task));
			for (CompilationUnitTree unit : task.parse()) {
				texts.scan(unit, null);
			}
			return texts.found;
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	/**
	 * Reads the tags of one class.
	 */
	private static final class Texts extends TreePathScanner<@Nullable Void, @Nullable Void> {

		private final Map<String, String> found = new LinkedHashMap<>();

		private final String name;

		private final DocTrees trees;

		Texts(String name, DocTrees trees) {
			this.name = name;
			this.trees = trees;
		}

		@Override
		public @Nullable Void visitClass(ClassTree type, @Nullable Void nothing) {
			if (type.getSimpleName().contentEquals(this.name)) {
				DocCommentTree comment = this.trees.getDocCommentTree(getCurrentPath());
				comment.getBlockTags().forEach(this::add);
				this.found.put(TYPE,
						StringUtils.capitalize(text(comment.getFirstSentence()).replace("Internal: ", "")));
			}
			return super.visitClass(type, nothing);
		}

		private void add(DocTree tag) {
			if (tag instanceof ParamTree parameter) {
				this.found.put(parameter.getName().toString(), text(parameter.getDescription()));
			}
		}

		private static String text(List<? extends DocTree> parts) {
			return parts.stream()
				.map(DocTree::toString)
				.collect(Collectors.joining())
				.replaceAll("\\{@\\w+ ([^}]*)}", "`$1`")
				.replaceAll("\\s+", " ");
		}

	}

}

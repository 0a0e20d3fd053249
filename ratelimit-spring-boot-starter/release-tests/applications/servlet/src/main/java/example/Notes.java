package example;

import java.util.List;

import org.springframework.data.jpa.repository.JpaRepository;

interface Notes extends JpaRepository<Note, Long> {

	List<Note> findByAuthorOrderById(String author);

}

"""What is kept between runs: rows that each depend on the bytes of one file, and views of them."""
